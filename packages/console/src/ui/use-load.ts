import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, failureOf, type Problem } from '../api/client';

/** Something that is loaded: what was there stays until its successor comes. */
export interface Load<A> {
  readonly data: A | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads something when a view is shown, and again when one of `inputs` is another.
 *
 * @param load is given a signal that is aborted when its answer is not wanted any more.
 */
export const useLoad = <A>(
  load: (signal: AbortSignal) => Promise<Answer<A>>,
  inputs: readonly unknown[],
): Load<A> => {
  const [data, setData] = useState<A>();
  const [problem, setProblem] = useState<Problem>();
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const aborter = new AbortController();
    setLoading(true);
    latest.current(aborter.signal).then(
      (answer) => {
        if (aborter.signal.aborted) return;
        setLoading(false);
        if (answer.ok) setData(answer.data);
        setProblem(answer.ok ? undefined : answer.problem);
      },
      (failure: unknown) => {
        if (aborter.signal.aborted) return;
        setLoading(false);
        setProblem(failureOf(failure));
      },
    );
    return () => {
      aborter.abort();
    };
  }, [round, ...inputs]);

  const reload = useCallback(() => {
    setRound((before) => before + 1);
  }, []);
  return { data, problem, isLoading, reload };
};

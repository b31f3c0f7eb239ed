/** Fills an empty service with sample data. */
import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/client';
import { bookHref, goTo } from '../../router';
import { useSession } from '../../session';
import { ProblemNotice } from '../../ui/notice';
import type { SampleLoad } from './sample-books';

export const TrySample = () => {
  const { api } = useSession();
  const load = useRef<SampleLoad>(undefined);
  const [progress, setProgress] = useState({ done: 0, of: 1 });
  const [isLoading, setLoading] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = async (): Promise<void> => {
    setLoading(true);
    setProblem(undefined);
    try {
      const { createSampleLoad } = await import('./sample-books');
      load.current ??= createSampleLoad(api, (done, of) => {
        setProgress({ done, of });
      });
      const answer = await load.current.run();
      if (answer.ok) goTo(bookHref(answer.data));
      else setProblem(answer.problem);
    } catch {
      setProblem({
        status: 0,
        title: 'The sample data could not be loaded',
        detail: 'Try again when the service or your connection is back.',
        errors: [],
      });
    }
    setLoading(false);
  };
  const start = (): void => {
    void run();
  };
  if (isLoading) {
    return (
      <label class="stack tight">
        <span class="soft">Loading sample data …</span>
        <progress value={progress.done} max={progress.of} />
      </label>
    );
  }
  return (
    <>
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <button type="button" onClick={start}>
        {problem === undefined ? 'Try it with sample data' : 'Go on with the sample data'}
      </button>
      <p class="soft small">Creates three books with some 330 products. You can delete them again.</p>
    </>
  );
};

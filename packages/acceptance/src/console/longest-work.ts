interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The processor's time, in microseconds: others on the machine do not lengthen it. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** What has to be traced for it. */
export const TRACED = { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] };

/** The longest piece of work in a page that a trace shows, in ms: as long no frame can come. */
export const longestWork = (trace: string): number => {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const placeOf = ({ pid, tid }: TraceEvent) => `${String(pid)} ${String(tid)}`;
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(placeOf),
  );
  return traceEvents
    .filter((event) => pages.has(placeOf(event)))
    .reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
};

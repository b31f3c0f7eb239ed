import type { ChildProcess } from 'node:child_process';

export interface Running {
  readonly child: Pick<ChildProcess, 'kill'>;
  readonly ended: Promise<unknown>;
}

/** Ends all processes that a test has started, whatever became of them; then the list is empty. */
export const endAll = async (running: Running[]): Promise<void> => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
};

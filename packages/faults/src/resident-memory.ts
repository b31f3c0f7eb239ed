/** The memory of another process, and the time it has worked, as Linux tells them. */
import fs from 'node:fs';

const KIB_PER_MIB = 1024;

/** @returns MiB that are in memory; undefined where the system does not tell. */
export const residentMib = (pid: number | undefined): number | undefined => {
  try {
    const status = fs.readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KIB_PER_MIB;
  } catch {
    return undefined;
  }
};

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10;

/** @returns milliseconds of processors that it has used; undefined where the system does not tell. */
export const workedMs = (pid: number | undefined): number | undefined => {
  try {
    // After the name, which may hold anything.
    const fields = fs
      .readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
};

/**
 * How much the last tenth of the samples is above those between a quarter and a half: the beginning warms up. The least
 * of each part counts, since what is above it is what has not been collected yet.
 */
export const growthOf = (samples: readonly number[]): number => {
  const { length } = samples;
  return Math.min(...samples.slice(length * 0.9)) - Math.min(...samples.slice(length / 4, length / 2));
};

/** A campaign of faults against the service: what is done to it, how often, and what came of it. */

/** How much a campaign does: all that is aimed at, or as much as a run of the tests has time for. */
export type Size = 'full' | 'short';

interface CampaignOptions {
  readonly size: Size;
  /** A new empty folder of the campaign's own, taken away after it. */
  readonly folder: string;
  /** What is random follows from it, so that a run can be done again. */
  readonly seed: number;
  /** Says how far it has come. */
  readonly progress: (sentence: string) => void;
}

export interface CampaignResult {
  /** What was done and found, in figures: `1,000 kills, 52,310 acknowledged writes, 0 lost, 0 invented`. */
  readonly figures: string;
  /** What must not have happened, in words; empty where the aim is reached. */
  readonly faults: readonly string[];
  /** What could not be done on this machine, such as mounting a file system. */
  readonly skipped?: string;
}

export interface Campaign {
  /** Names it on the command line. */
  readonly name: string;
  /** What is done, as the table says it. */
  readonly title: string;
  readonly aim: string;
  readonly run: (options: CampaignOptions) => Promise<CampaignResult>;
}

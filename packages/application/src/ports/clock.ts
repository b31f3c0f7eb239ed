/** Tells the time. */
export interface Clock {
  /** ISO 8601, UTC, milliseconds. */
  readonly now: () => string;
}

/**
 * Bounds what many hold together, such as the bytes of uploads that are on their way. Where it becomes too much, who
 * has not moved for longest gives up what it holds: those that stall cannot starve those that go on.
 */
interface Holding {
  /** Holds more. */
  readonly grow: (bytes: number) => void;
  /** Holds nothing any more. */
  readonly release: () => void;
}

export interface Holdings {
  /** @param giveUp called at most once, when the holding was taken away for the others. */
  readonly hold: (giveUp: () => void) => Holding;
}

export const createHoldings = (maxBytes: number): Holdings => {
  let total = 0;
  /** In the order in which they last grew. */
  const holders = new Map<() => void, number>();

  const release = (holder: () => void): void => {
    total -= holders.get(holder) ?? 0;
    holders.delete(holder);
  };

  return {
    hold: (giveUp) => {
      let isOver = false;
      const holder = (): void => {
        isOver = true;
        giveUp();
      };
      return {
        grow: (bytes) => {
          if (isOver) return;
          const held = (holders.get(holder) ?? 0) + bytes;
          holders.delete(holder);
          holders.set(holder, held);
          total += bytes;
          for (const stalest of holders.keys()) {
            if (total <= maxBytes) return;
            release(stalest);
            stalest();
          }
        },
        release: () => {
          isOver = true;
          release(holder);
        },
      };
    },
  };
};

/** Decisions as sentences: given these events, when this is asked, then that happens. It holds no tests itself. */
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import type { PriceBookCommand } from '../price-book/commands';
import { decide, type DecisionError } from '../price-book/decide';
import type { PriceBookEvent } from '../price-book/events';
import { absent, evolve, type PriceBookState } from '../price-book/state';
import { instant } from './reading';

/** The state after these events, one a second. */
export const stateAfter = (events: readonly PriceBookEvent[]): PriceBookState =>
  events.reduce<PriceBookState>(
    (state, event, revision) => evolve(state, event, { revision, updatedAt: instant(revision * 1_000) }),
    absent,
  );

interface Outcome {
  /** It is accepted and makes just these events. */
  readonly then: (...events: readonly PriceBookEvent[]) => void;
  readonly thenNothingHappens: () => void;
  readonly thenItIsRefused: (error: DecisionError) => void;
}

export const given = (...past: readonly PriceBookEvent[]) => ({
  when: (command: PriceBookCommand, expectedRevisions?: readonly number[]): Outcome => {
    const decision = decide(stateAfter(past), command, expectedRevisions);
    return {
      then: (...events) => {
        expect(decision).to.deep.equal(E.right(events));
      },
      thenNothingHappens: () => {
        expect(decision).to.deep.equal(E.right([]));
      },
      thenItIsRefused: (error) => {
        expect(decision).to.deep.equal(E.left(error));
      },
    };
  },
});

/** Given a book that does not exist yet. */
export const givenNothing = given();

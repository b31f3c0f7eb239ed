import { expect } from 'chai';
import { readTime } from './date-time';

describe('A date-time', () => {
  for (const [given, read] of [
    ['2026-11-21T17:57:27.812893+0100', '2026-11-21T16:57:27.812Z'],
    ['2026-11-21T17:57:27-0530', '2026-11-21T23:27:27.000Z'],
    ['2026-11-21T17:57+01:00', '2026-11-21T16:57:00.000Z'],
    ['2026-11-21T17:57:27+01', undefined],
    ['2026-11-21T17:57:27+2400', undefined],
    ['2026-11-21T17:57:27', undefined],
  ] as const) {
    it(`${given}: ${String(read)}`, () => {
      expect(readTime(given)).to.equal(read);
    });
  }
});

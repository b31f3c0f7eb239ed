import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createUntaken } from './untaken';

describe('what clients have not taken', () => {
  const cutOff: string[] = [];
  beforeEach(() => {
    cutOff.length = 0;
  });
  const response = (name: string, writableLength: number): ServerResponse =>
    ({ writableLength, req: { socket: { destroy: () => cutOff.push(name) } } }) as unknown as ServerResponse;

  it('counts a piece once, however many are sent it, until the last of them has taken it', () => {
    const { hold } = createUntaken(100);
    const piece = new Uint8Array(60);
    const taken = ['a', 'b', 'c'].map((name) => hold(response(name, 60), piece));
    hold(response('d', 40), new Uint8Array(40));
    expect(cutOff).to.deep.equal([]);
    taken[0]?.();
    taken[1]?.();
    hold(response('e', 1), 'x');
    expect(cutOff).to.deep.equal(['c']);
  });

  it('cuts off all who are still at the oldest piece, and none who has taken it', () => {
    const { hold } = createUntaken(100);
    const [first, second] = [new Uint8Array(60), new Uint8Array(60)];
    const taken = ['a', 'b', 'c'].map((name) => hold(response(name, 60), first));
    taken[1]?.();
    hold(response('b', 60), second);
    expect(cutOff).to.deep.equal(['a', 'c']);
    // They count no more; and who is sent the piece now is held for anew.
    taken[0]?.();
    taken[2]?.();
    hold(response('d', 40), first);
    expect(cutOff).to.have.length(2);
    hold(response('e', 1), 'x');
    expect(cutOff).to.deep.equal(['a', 'c', 'b']);
  });

  it('counts texts for each', () => {
    const { hold } = createUntaken(100);
    hold(response('a', 60), 'x'.repeat(60));
    hold(response('b', 60), 'x'.repeat(60));
    expect(cutOff).to.deep.equal(['a']);
  });

  it('counts nothing that was taken', () => {
    const { hold } = createUntaken(100);
    const piece = new Uint8Array(100);
    for (let n = 0; n < 3; n += 1) hold(response('a', 100), piece)();
    for (let n = 0; n < 3; n += 1) hold(response('b', 100), 'x')();
    expect(cutOff).to.deep.equal([]);
  });
});

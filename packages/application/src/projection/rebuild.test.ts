import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { StoreError } from '../ports/store-error';
import { rebuild, type RebuildOptions } from './rebuild';

const down: StoreError = { _tag: 'StoreUnavailable', reason: 'down' };

/** A store that says so much of going live, one answer after the other, and notes what is done to the new read model. */
const storeThat = (...answers: readonly E.Either<StoreError, boolean>[]) => {
  const done: string[] = [];
  let next = 0;
  const store = {
    openLive: () => Promise.reject(new Error('not here')),
    begin: () =>
      Promise.resolve({
        ...createInMemoryReadModel(),
        name: 'new',
        goLive: () => {
          done.push('goLive');
          return Promise.resolve(answers[next++] ?? E.right(true));
        },
        close: () => Promise.resolve(void done.push('close')),
        abandon: () => Promise.resolve(void done.push('abandon')),
      }),
  };
  return { store, done };
};

const run = (
  { store }: ReturnType<typeof storeThat>,
  options: Partial<RebuildOptions> = {},
  eventStore = createInMemoryEventStore(),
) =>
  rebuild(eventStore, store, {
    signal: new AbortController().signal,
    onProgress: () => undefined,
    patiently: (attempt) => attempt(),
    ...options,
  });

describe('a rebuild', () => {
  it('names the new read model live, and closes it', async () => {
    const world = storeThat();
    expect(await run(world)).to.deep.equal(E.right({ events: 0, name: 'new' }));
    expect(world.done).to.deep.equal(['goLive', 'close']);
  });

  it('abandons the new one where it is interrupted before that is live', async () => {
    const world = storeThat();
    expect(await run(world, { signal: AbortSignal.abort() })).to.deep.equal(E.left({ _tag: 'Interrupted' }));
    expect(world.done).to.deep.equal(['abandon']);
  });

  it('abandons the new one where another one has become live', async () => {
    const world = storeThat(E.right(false));
    expect(await run(world)).to.deep.equal(E.left({ _tag: 'Overtaken' }));
    expect(world.done).to.deep.equal(['goLive', 'abandon']);
  });

  it('asks again whether the new one is live, as long as it has patience, and then abandons it', async () => {
    const patient: RebuildOptions['patiently'] = async (attempt) => {
      const first = await attempt();
      return E.isLeft(first) ? attempt() : first;
    };
    const recovered = storeThat(E.left(down), E.right(true));
    expect(await run(recovered, { patiently: patient })).to.have.property('_tag', 'Right');
    expect(recovered.done).to.deep.equal(['goLive', 'goLive', 'close']);
    const lost = storeThat(E.left(down), E.left(down));
    expect(await run(lost, { patiently: patient })).to.deep.equal(E.left(down));
    expect(lost.done).to.deep.equal(['goLive', 'goLive', 'abandon']);
  });

  it('abandons the new one where the events cannot be read', async () => {
    const world = storeThat();
    const broken = { ...createInMemoryEventStore(), head: () => TE.left(down) };
    expect(await run(world, {}, broken)).to.deep.equal(E.left(down));
    const failing = {
      ...createInMemoryEventStore(),
      head: () => () => Promise.reject(new Error('a mistake')),
    };
    const failure: unknown = await run(world, {}, failing).catch((thrown: unknown) => thrown);
    expect(failure).to.have.property('message', 'a mistake');
    expect(world.done).to.deep.equal(['abandon', 'abandon']);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { ReadModelNames, ReadModelStore } from '../ports/read-model-store';
import type { StoreError } from '../ports/store-error';
import type { Projector, ProjectorStatus } from './projector';
import { createWaiters } from './read-side';
import { type ReadModelServer, serveReadModel } from './serve-read-model';

const down: StoreError = { _tag: 'StoreUnavailable', reason: 'down' };
const LEASE_MS = 60;
const LOOK_MS = 2;

/** Waits for what comes about in this process. */
const until = async (isSo: () => boolean): Promise<void> => {
  const end = performance.now() + 3_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`it never came about: ${String(isSo)}`);
    await delay(1);
  }
};

/** A projector that comes as far as a test says. */
const controlledProjector = (from: Position | undefined) => {
  const waiters = createWaiters();
  let status: ProjectorStatus = { _tag: 'Running', position: from };
  const projector: Projector = {
    reached: () => status.position,
    waitFor: (position, timeoutMs) => {
      if (status.position !== undefined && status.position >= position) return Promise.resolve(true);
      if (status._tag !== 'Running') return Promise.resolve(false);
      return waiters.wait(position, timeoutMs);
    },
    status: () => status,
    close: () => {
      status = { _tag: 'Closed', position: status.position };
      waiters.giveUp();
      return Promise.resolve();
    },
  };
  return {
    projector,
    reach: (position: Position) => {
      status = { ...status, position };
      waiters.reached(position);
    },
    stop: () => {
      const error = { _tag: 'StoreDamaged', where: 'here', reason: 'a test says so' } as const;
      status = { _tag: 'Stopped', position: status.position, error };
      waiters.giveUp();
    },
  };
};

/** A store of read models, and projectors into them, of which a test has every say. */
const createWorld = (leaseMs: number | undefined) => {
  const world = {
    names: { live: 'A' } as ReadModelNames,
    isDown: false,
    looks: 0,
    head: undefined as Position | undefined,
    isTakenBack: false,
    unopenable: new Set<string>(),
    /** Each may be opened again; the last counts. */
    projectors: new Map<string, ReturnType<typeof controlledProjector>>(),
    /** What is open now. */
    open: [] as string[],
    adopted: [] as string[],
    reports: [] as string[],
    /** Held up until this settles. */
    answering: undefined as Promise<void> | undefined,
    asked: [] as string[],
    /** Nothing is opened until this settles. */
    opening: undefined as Promise<void> | undefined,
  };

  const store: ReadModelStore = {
    ...(leaseMs !== undefined && { leaseMs }),
    look: () => () => {
      world.looks += 1;
      return Promise.resolve(world.isDown ? E.left(down) : E.right(world.names));
    },
    open: async (name) => {
      await world.opening;
      if (world.unopenable.has(name)) throw new Error(`${name} is of another version`);
      world.open.push(name);
      const readModel: ReadModel = {
        ...createInMemoryReadModel(),
        checkpoint: () => TE.fromIO(() => world.projectors.get(name)?.projector.reached()),
        listPriceBooks: () => async () => {
          world.asked.push(name);
          await world.answering;
          return E.right({ items: [], next: undefined });
        },
      };
      return {
        ...readModel,
        name,
        close: () => {
          world.open = world.open.filter((one) => one !== name);
          return Promise.resolve();
        },
      };
    },
    adopt: (name) =>
      TE.fromIO(() => {
        if (world.isTakenBack) return false;
        world.adopted.push(name);
        return true;
      }),
    begin: () => Promise.reject(new Error('not here')),
  };

  return { world, store };
};

describe('serving a read model', () => {
  let world: ReturnType<typeof createWorld>['world'];
  let server: ReadModelServer | undefined;
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });

  const serve = async (leaseMs: number | undefined = LEASE_MS, names: ReadModelNames = { live: 'A' }) => {
    const created = createWorld(leaseMs);
    ({ world } = created);
    world.names = names;
    const projectorOf = new Map<unknown, string>();
    server = await serveReadModel({
      store: {
        ...created.store,
        open: async (name) => {
          const kept = await created.store.open(name);
          projectorOf.set(kept, name);
          return kept;
        },
      },
      eventStore: { head: () => TE.fromIO(() => world.head) },
      project: (readModel) => {
        const name = projectorOf.get(readModel) ?? '';
        const controlled = controlledProjector(world.projectors.get(name)?.projector.reached());
        world.projectors.set(name, controlled);
        return controlled.projector;
      },
      report: (message) => world.reports.push(message),
      lookMs: LOOK_MS,
    });
    return server;
  };

  const reach = (name: string, position: Position): void => {
    world.projectors.get(name)?.reach(position);
  };
  const isOpen = (name: string) => (): boolean => world.open.includes(name) && world.projectors.has(name);

  /** Asks, and says which read model has answered. */
  const ask = async (): Promise<string | StoreError> => {
    const answer = await server?.readModel.listPriceBooks(1)();
    return answer === undefined || E.isLeft(answer) ? (answer?.left ?? down) : (world.asked.at(-1) ?? '');
  };
  const looked = async (): Promise<void> => {
    const before = world.looks;
    await until(() => world.looks > before + 1);
  };

  it('lets writers wait for one that is announced as well', async () => {
    const { readSide } = await serve();
    world.names = { live: 'A', next: 'B' };
    await until(isOpen('B'));
    reach('A', 7n);
    let isDone: boolean | undefined;
    const waiting = readSide.waitFor(7n, 1_000).then((reached) => (isDone = reached));
    await looked();
    expect(isDone).to.equal(undefined);
    reach('B', 7n);
    expect(await waiting).to.equal(true);
    expect(await ask()).to.equal('A');
  });

  it('lets writers wait for one that is announced while they wait', async () => {
    const { readSide } = await serve();
    let isDone: boolean | undefined;
    const waiting = readSide.waitFor(7n, 10_000).then((reached) => (isDone = reached));
    await looked();
    world.names = { live: 'A', next: 'B' };
    await until(isOpen('B'));
    await looked();
    reach('A', 7n);
    await looked();
    expect(isDone).to.equal(undefined);
    reach('B', 7n);
    expect(await waiting).to.equal(true);
  });

  it('lets the first writer wait for one that was announced before the start', async () => {
    const { readSide } = await serve(LEASE_MS, { live: 'A', next: 'B' });
    reach('A', 1n);
    expect(await readSide.waitFor(1n, 10)).to.equal(false);
    reach('B', 1n);
    expect(await readSide.waitFor(1n, 10)).to.equal(true);
  });

  it('goes over to one that is live when that has come as far, and not before', async () => {
    await serve(1_000);
    reach('A', 7n);
    world.names = { live: 'B' };
    await until(isOpen('B'));
    reach('B', 6n);
    await delay(30);
    expect(await ask()).to.equal('A');
    expect(world.adopted).to.deep.equal(['A']);
    reach('B', 7n);
    await until(() => world.adopted.includes('B'));
    expect(await ask()).to.equal('B');
  });

  it('has every event in the new one before it answers from that, as some of them may have been read', async () => {
    await serve(1_000);
    reach('A', 7n);
    // The event 8 is on its way into both.
    world.head = 8n;
    world.names = { live: 'B' };
    await until(isOpen('B'));
    reach('B', 7n);
    await delay(50);
    let answer: unknown;
    const asking = ask().then((name) => (answer = name));
    await delay(20);
    expect(answer, 'held while the one takes the place of the other').to.equal(undefined);
    reach('B', 8n);
    await asking;
    expect(answer).to.equal('B');
  });

  it('goes over to one that has what was answered, where the events come too fast for it', async () => {
    await serve(1_000);
    reach('A', 7n);
    world.head = 100n;
    world.names = { live: 'B' };
    await until(isOpen('B'));
    reach('B', 7n);
    await until(() => world.adopted.includes('B'));
    expect(await ask()).to.equal('B');
  });

  it('lets queries that are on their way come to their end in the old one', async () => {
    await serve(1_000);
    let answer: (() => void) | undefined;
    world.answering = new Promise((resolve) => {
      answer = resolve;
    });
    const asking = ask();
    await until(() => world.asked.length === 1);
    world.names = { live: 'B' };
    await until(isOpen('B'));
    await delay(20);
    expect(world.adopted).not.to.include('B');
    answer?.();
    expect(await asking).to.equal('A');
    await until(() => world.adopted.includes('B'));
  });

  it('closes one whose announcement is withdrawn, and nobody waits for it', async () => {
    const { readSide } = await serve();
    world.names = { live: 'A', next: 'B' };
    await until(isOpen('B'));
    reach('A', 7n);
    const waiting = readSide.waitFor(7n, 2_000);
    world.names = { live: 'A' };
    await until(() => !world.open.includes('B'));
    expect(await waiting).to.equal(true);
    expect(await ask()).to.equal('A');
  });

  it('stays with the current one where the other was taken back at the last moment', async () => {
    await serve(undefined);
    world.isTakenBack = true;
    world.names = { live: 'B' };
    await until(isOpen('B'));
    await looked();
    expect(await ask()).to.equal('A');
    world.names = { live: 'A' };
    await until(() => !world.open.includes('B'));
    expect(await ask()).to.equal('A');
  });

  it('lets go of one that was taken back before it had come as far', async () => {
    await serve(undefined);
    reach('A', 7n);
    world.names = { live: 'B' };
    await until(isOpen('B'));
    world.names = { live: 'A' };
    await until(() => !world.open.includes('B'));
    expect(await ask()).to.equal('A');
  });

  it('takes the right one where it missed that one went live and another was announced', async () => {
    const { readSide } = await serve(1_000);
    world.names = { live: 'B', next: 'C' };
    await until(isOpen('C'));
    expect(await ask()).to.equal('B');
    reach('A', 3n);
    reach('B', 3n);
    expect(await readSide.waitFor(3n, 10)).to.equal(false);
    reach('C', 3n);
    expect(await readSide.waitFor(3n, 10)).to.equal(true);
  });

  it('refuses queries when it could not look for as long as a look counts, and recovers by itself', async () => {
    const { readSide } = await serve();
    world.isDown = true;
    expect(await ask()).to.equal('A');
    await delay(LEASE_MS + 10);
    expect(await ask()).to.have.property('_tag', 'StoreUnavailable');
    expect(await readSide.waitFor(0n, 10)).to.equal(false);
    world.isDown = false;
    await looked();
    expect(await ask()).to.equal('A');
  });

  it('looks before it answers where it was held up', async () => {
    await serve();
    world.names = { live: 'B' };
    // Nothing runs meanwhile, as where the process was stopped.
    const end = performance.now() + LEASE_MS + 10;
    while (performance.now() < end);
    expect(await ask()).to.equal('B');
  });

  it('asks again where it was held up while it asked', async () => {
    await serve();
    let answer: (() => void) | undefined;
    world.answering = new Promise((resolve) => {
      answer = resolve;
    });
    const asking = ask();
    await until(() => world.asked.length === 1);
    world.names = { live: 'B' };
    const end = performance.now() + LEASE_MS + 10;
    while (performance.now() < end);
    world.answering = undefined;
    answer?.();
    expect(await asking).to.equal('B');
  });

  it('keeps the old one up as long as others may answer from it, and closes it then', async () => {
    const { readSide } = await serve();
    reach('A', 1n);
    world.names = { live: 'B' };
    await until(isOpen('B'));
    reach('B', 1n);
    await until(() => world.adopted.includes('B'));
    const since = performance.now();
    reach('B', 2n);
    expect(await readSide.waitFor(2n, 10), 'the old one has to have it too').to.equal(false);
    reach('A', 2n);
    expect(await readSide.waitFor(2n, 10)).to.equal(true);
    await until(() => !world.open.includes('A'));
    expect(performance.now() - since).to.be.greaterThan(LEASE_MS - 10);
    reach('B', 3n);
    expect(await readSide.waitFor(3n, 10)).to.equal(true);
  });

  it('closes the old one at once where looks count for ever', async () => {
    await serve(undefined);
    world.names = { live: 'B' };
    await until(() => !world.open.includes('A'));
    expect(await ask()).to.equal('B');
    world.isDown = true;
    await delay(20);
    expect(await ask()).to.equal('B');
  });

  it('goes over to one that met the same unreadable event, not to one that met it before', async () => {
    await serve(undefined);
    reach('A', 7n);
    world.head = 9n;
    world.names = { live: 'B' };
    await until(isOpen('B'));
    reach('B', 6n);
    world.projectors.get('B')?.stop();
    await looked();
    expect(await ask()).to.equal('A');
    reach('B', 7n);
    await until(() => world.adopted.includes('B'));
    expect(await ask()).to.equal('B');
  });

  it('tries again to open one that cannot be opened, and says once that it cannot', async () => {
    const { readSide } = await serve(1_000);
    world.unopenable.add('B');
    world.names = { live: 'A', next: 'B' };
    await looked();
    await looked();
    expect(await ask()).to.equal('A');
    expect(world.reports).to.deep.equal(['the live read model could not be told: B is of another version']);
    world.unopenable.clear();
    await until(isOpen('B'));
    reach('A', 1n);
    expect(await readSide.waitFor(1n, 10)).to.equal(false);
  });

  it('does not answer for longer than a look counts where one that is announced cannot be opened', async () => {
    await serve();
    world.unopenable.add('B');
    world.names = { live: 'A', next: 'B' };
    await delay(LEASE_MS + 20);
    expect(await ask()).to.have.property('_tag', 'StoreUnavailable');
  });

  describe('closes', () => {
    const phases: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['at once', () => Promise.resolve()],
      [
        'while one is announced',
        () => {
          world.names = { live: 'A', next: 'B' };
          return until(isOpen('B'));
        },
      ],
      [
        'while one is being opened',
        async () => {
          world.opening = delay(100);
          world.names = { live: 'A', next: 'B' };
          await delay(20);
        },
      ],
      [
        'while it waits for one that is live',
        () => {
          reach('A', 7n);
          world.names = { live: 'B' };
          return until(isOpen('B'));
        },
      ],
      [
        'while the old one lingers',
        () => {
          world.names = { live: 'B' };
          return until(() => world.adopted.includes('B'));
        },
      ],
      [
        'while somebody looks because the time has run out',
        async () => {
          world.isDown = true;
          await delay(LEASE_MS + 5);
          void ask();
        },
      ],
    ];
    for (const [phase, enter] of phases) {
      it(`${phase}, and leaves nothing open`, async () => {
        const running = await serve();
        await enter();
        const since = performance.now();
        await running.close();
        server = undefined;
        expect(performance.now() - since).to.be.lessThan(1_500);
        expect(world.open).to.deep.equal([]);
        const { looks } = world;
        await delay(100);
        expect({ open: world.open, looks: world.looks }).to.deep.equal({ open: [], looks });
      });
    }
  });
});

/** What is asked about the service itself. */
import type { Readiness } from '@pricebook/application';
import { described, exactly, numberBetween, oneOf, orNull, record } from '@pricebook/domain';
import type * as t from 'io-ts';
import { anyTextCodec, countCodec } from './values';

export const livenessCodec = described(record('Liveness', { status: exactly('live') }), {
  examples: [{ status: 'live' }],
});

export type LivenessBody = t.TypeOf<typeof livenessCodec>;

const eventCodec = described(
  record('UnreadableEvent', {
    stream: anyTextCodec,
    revision: countCodec('count', 'Its revision in the stream.', 7),
  }),
  { description: 'An event that cannot be read.' },
);

const positionCodec = orNull(anyTextCodec);

const lagCodec = record('Lag', {
  events: countCodec('count', 'Events that have not been applied, counted up to 1,000.', 0),
  seconds: described(numberBetween('seconds', 0, Infinity), {
    description: 'For how long the first of them has been waiting.',
  }),
});

export const readinessCodec = described(
  record(
    'Readiness',
    {
      status: oneOf('status', ['ready', 'not ready']),
      eventStore: oneOf<Readiness['eventStore']>('state', ['up', 'down', 'full', 'failing']),
      readModel: oneOf<Readiness['readModel']>('state', ['up', 'down']),
      projection: record(
        'Projection',
        {
          state: oneOf<Readiness['projection']['state']>('state', [
            'running',
            'retrying',
            'stopped',
            'closed',
            'elsewhere',
          ]),
          position: positionCodec,
          head: positionCodec,
          lag: orNull(lagCodec),
        },
        { stoppedAt: eventCodec },
      ),
    },
    {
      keys: record(
        'KeysState',
        {
          state: oneOf<NonNullable<Readiness['keys']>['state']>('state', ['current', 'behind', 'unreadable']),
        },
        { unreadable: eventCodec },
      ),
    },
  ),
  {
    description:
      'Whether requests can be answered, and what stands in the way. `position` is how far the read side has come, and `head` ' +
      'the last event; `lag` is null while a store is down.',
    examples: [
      {
        status: 'ready',
        eventStore: 'up',
        readModel: 'up',
        keys: { state: 'current' },
        projection: {
          state: 'running',
          position: '57277140348868157770785',
          head: '57277140348868157770785',
          lag: { events: 0, seconds: 0 },
        },
      },
    ],
  },
);

export type ReadinessBody = t.TypeOf<typeof readinessCodec>;

/** The calls that write: appends over one long-lived stream, deletes and tombstones. */
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb';
import {
  DeleteResp,
  TombstoneResp,
  type BatchAppendReq,
  type BatchAppendResp,
  type DeleteReq,
  type TombstoneReq,
} from '@eventstore/db-client/generated/streams_pb';
import { type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import * as answers from './append-answers';
import type { FaultState } from './faults';
import type { Expected, Outcome, Store } from './store';
import { bytesOf, type ProposedEvent } from './stored-event';
import * as wire from './wire';

/** An append that is not complete by then is answered with a timeout. */
const WRITE_TIMEOUT_MILLISECONDS = 2000;
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Append {
  readonly name: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
}

const bytesIn = ({ events }: Append): number => events.reduce((sum, event) => sum + bytesOf(event), 0);

const isMalformed = ({ events }: Append): boolean =>
  events.some(({ id, type }) => !UUID_PATTERN.test(id) || type === '');

/** @param cutConnection closes the connection of a peer without a word. */
export const createWriters = (
  store: Store,
  { admit, whenReleased, takeAppendFault }: FaultState,
  maxAppendBytes: number,
  cutConnection: (peer: string) => void,
): Pick<IStreamsServer, 'batchAppend' | 'delete' | 'tombstone'> => {
  /** Stores the events and answers, or does what the next fault says. */
  const carryOut = (
    { name, expected, events }: Append,
    answer: (outcome: Outcome) => void,
    cut: (what: 'call' | 'connection') => void,
  ): void => {
    const fault = takeAppendFault();
    if (fault?._tag === 'CutBeforeStoring') {
      cut(fault.what);
      return;
    }
    const outcome = store.append(name, expected, events);
    const answerWhenReleased = (): void => {
      whenReleased('answer', () => {
        answer(outcome);
      });
    };
    if (fault?._tag === 'CutAfterStoring') cut(fault.what);
    else if (fault?._tag === 'AnswerLate') setTimeout(answerWhenReleased, fault.milliseconds);
    else answerWhenReleased();
    if (fault?._tag === 'AnswerTwice') answerWhenReleased();
  };

  const batchAppend: IStreamsServer['batchAppend'] = (call) => {
    const pending = new Map<string, Append>();
    let isBroken = false;

    const end = (ending: wire.Ending): void => {
      isBroken = true;
      call.emit('error', ending);
    };
    const cut = (what: 'call' | 'connection'): void => {
      isBroken = true;
      if (what === 'call') end(wire.unavailable);
      else cutConnection(call.getPeer());
    };

    const receive = (message: BatchAppendReq): void => {
      const id = message.getCorrelationId();
      const key = id?.getString() ?? '';
      const options = message.getOptions();
      if (options !== undefined) {
        const name = wire.nameOf(options.getStreamIdentifier());
        const expected = wire.expectedOf(options, options.getStreamPosition());
        pending.set(key, { name, expected, events: [] });
      }
      const append = pending.get(key);
      if (append === undefined) return;
      append.events.push(...message.getProposedMessagesList().map(wire.proposedEventOf));

      const answer = (response: BatchAppendResp): void => {
        if (isBroken || call.cancelled) return;
        call.write(response.setCorrelationId(id).setStreamIdentifier(wire.identifierOf(append.name)));
      };
      if (isMalformed(append)) {
        answer(answers.badRequest());
        // The real server forgets that it has answered.
        setTimeout(() => {
          answer(answers.timeout());
        }, WRITE_TIMEOUT_MILLISECONDS).unref();
      } else if (bytesIn(append) > maxAppendBytes) {
        answer(answers.tooLarge(maxAppendBytes));
      } else if (message.getIsFinal()) {
        carryOut(
          append,
          (outcome) => {
            answer(answers.batchAnswer(append.expected, outcome));
          },
          cut,
        );
      } else {
        return;
      }
      pending.delete(key);
    };

    call.on('data', (message: BatchAppendReq) => {
      if (isBroken) return;
      admit('append', end, () => {
        if (!isBroken) receive(message);
      });
    });
    call.on('end', () => {
      call.end();
    });
  };

  /** Deletes and tombstones differ in what they do to the store, and in nothing else. */
  const deleter =
    <Request extends DeleteReq | TombstoneReq, Response>(
      change: Store['softDelete'],
      toResponse: (position: bigint) => Response,
    ) =>
    (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>): void => {
      admit('delete', respond, () => {
        const options = call.request.getOptions();
        const name = wire.nameOf(options?.getStreamIdentifier());
        const expected = options === undefined ? 'any' : wire.expectedOf(options, options.getRevision());
        const outcome = change(name, expected);
        if (outcome._tag === 'Stored') respond(null, toResponse(outcome.position));
        else if (outcome._tag === 'StreamDeleted') respond(wire.streamDeleted(name));
        else respond(wire.wrongRevision(name, expected, outcome.actual));
      });
    };

  return {
    batchAppend,
    delete: deleter<DeleteReq, DeleteResp>(store.softDelete, (position) =>
      new DeleteResp().setPosition(wire.at(new DeleteResp.Position(), position)),
    ),
    tombstone: deleter<TombstoneReq, TombstoneResp>(store.tombstone, (position) =>
      new TombstoneResp().setPosition(wire.at(new TombstoneResp.Position(), position)),
    ),
  };
};

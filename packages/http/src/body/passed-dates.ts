/**
 * A `validUntil` that has passed when the request is carried out is refused, since it could never be seen
 * (docs/prices.md, "Dated prices"). Only a body that has one is read again, for the places to name.
 */
import type { Clock } from '@pricebook/application';
import {
  boundedFaults,
  isJsonObject,
  listed,
  pointerOf,
  readTime,
  type RequestedAdjustment,
  type SetPrices,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { BodyFault } from '../api-error';
import { passedInCsv } from '../csv/passed-in-csv';
import { parseStrictJson } from './strict-json';

type Asked = Readonly<Partial<Record<string, RequestedAdjustment | readonly RequestedAdjustment[]>>>;

const askedIn = (command: SetPrices): readonly Asked[] => {
  if (command._tag === 'AdjustAllProducts') return [command.adjustments];
  const ofProducts = command.items.map(({ adjustments }) => adjustments);
  return command._tag === 'SetPriceSheet' ? [...ofProducts, command.allProducts] : ofProducts;
};

/** The earliest `validUntil`; undefined where there is none, as in most requests. What a cancellation names may have ended. */
const earliestEndIn = (command: SetPrices): string | undefined => {
  let earliest: string | undefined;
  for (const asked of askedIn(command)) {
    for (const given of Object.values(asked)) {
      for (const { type, validUntil } of given === undefined ? [] : listed(given)) {
        if (type === 'cancel' || validUntil === undefined) continue;
        if (earliest === undefined || validUntil < earliest) earliest = validUntil;
      }
    }
  }
  return earliest;
};

type Path = readonly (string | number)[];

/** In what has been read as adjustments already. */
const passedAt = (value: unknown, path: Path, now: string): readonly BodyFault[] => {
  if (Array.isArray(value)) return value.flatMap((one, index) => passedAt(one, [...path, index], now));
  if (!isJsonObject(value) || value['type'] === 'cancel') return [];
  const { validUntil } = value;
  const time = typeof validUntil === 'string' ? readTime(validUntil) : undefined;
  return time === undefined || time > now
    ? []
    : [
        {
          pointer: pointerOf([...path, 'validUntil']),
          detail: `must be after the time of the request, ${now}`,
        },
      ];
};

const passedInItem = (item: unknown, path: Path, now: string): readonly BodyFault[] => {
  const adjustments = isJsonObject(item) ? item['adjustments'] : undefined;
  return isJsonObject(adjustments)
    ? Object.entries(adjustments).flatMap(([currency, given]) =>
        passedAt(given, [...path, 'adjustments', currency], now),
      )
    : [];
};

const passedInJson = (bytes: Buffer, now: string): readonly BodyFault[] => {
  const body = parseStrictJson(bytes);
  if (E.isLeft(body)) return body.left;
  const { right } = body;
  return Array.isArray(right)
    ? right.flatMap((item, index) => passedInItem(item, [index], now))
    : passedInItem(right, [], now);
};

/** @param bytes the body of which the command was read. */
export const passedDatesIn = (command: SetPrices, bytes: Buffer, clock: Clock): readonly BodyFault[] => {
  const earliest = earliestEndIn(command);
  if (earliest === undefined) return [];
  const now = clock.now();
  if (earliest > now) return [];
  return command._tag === 'SetPriceSheet'
    ? passedInCsv(bytes, now)
    : boundedFaults(passedInJson(bytes, now), (fault) => fault);
};

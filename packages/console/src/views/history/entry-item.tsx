/** One entry of the history: what, who, when and why, and the first of many changes. */
import { useMemo, useState } from 'preact/hooks';
import { datedWords, InWords } from '../../ui/adjustment-words';
import { Actor } from '../../ui/key-names';
import { Name, Time } from '../../ui/text';
import { changesOf } from './changes';
import type { Entry } from './follow';
import { ProductLink, Sentence } from './sentence';

const FIRST = 3;
const STEP = 100;

const Changes = ({ bookId, entry }: { readonly bookId: string; readonly entry: Entry }) => {
  const changes = useMemo(() => changesOf(entry), [entry]);
  const [shown, setShown] = useState(FIRST);
  if (changes.length < 2) return null;
  const isOne = changes.every(({ productId }) => productId === changes[0]?.productId);
  const rest = changes.length - shown;
  return (
    <>
      <ul class={`history-changes ${isOne ? 'one' : ''}`} role="list">
        {changes.slice(0, shown).map(({ productId, currency, adjustment }, place) => (
          <li key={place}>
            {!isOne && (
              <span>
                {/* Once for all of its currencies. */}
                {productId !== undefined && productId !== changes[place - 1]?.productId && (
                  <ProductLink {...{ bookId, productId, currency }} />
                )}
              </span>
            )}
            <span class="soft">{currency}</span>
            <span>
              {adjustment !== undefined && currency !== undefined && (
                <InWords words={datedWords(adjustment, currency)} />
              )}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <div>
          <button
            type="button"
            class="small"
            onClick={() => {
              setShown(shown + STEP);
            }}
          >
            {rest <= STEP
              ? `Show all ${changes.length.toLocaleString()} changes`
              : `Show ${String(STEP)} more of ${changes.length.toLocaleString()}`}
          </button>
        </div>
      )}
    </>
  );
};

interface EntryItemProps {
  readonly bookId: string;
  readonly entry: Entry;
  readonly formerName: string | undefined;
}

export const EntryItem = ({ bookId, entry, formerName }: EntryItemProps) => {
  return (
    <li class="history-entry stack tight">
      <p>
        <Sentence bookId={bookId} entry={entry} formerName={formerName} />
      </p>
      <Changes bookId={bookId} entry={entry} />
      {entry.reason !== undefined && (
        <p class="history-reason">
          <span class="soft">Reason:</span> <Name>{entry.reason}</Name>
        </p>
      )}
      <p class="history-meta soft small">
        <span>
          <Actor id={entry.actor} />
        </span>
        <Time at={entry.occurredAt} />
        <span>Revision {entry.revision}</span>
      </p>
    </li>
  );
};

import { Name } from '../../ui/text';
import type { Comparison } from './compare';
import { Scroller } from '../../ui/scroller';

const KINDS = { new: 'New', changed: 'Changed', removed: 'Removed', unchanged: 'Unchanged' } as const;

interface ChangesProps {
  readonly comparison: Comparison;
}

/** What an import would change: how many prices, and the first of them with old and new. */
export const Changes = ({ comparison: { counts, changes } }: ChangesProps) => {
  const total = counts.new + counts.changed + counts.removed;
  return (
    <div class="stack">
      <dl class="figures" aria-label="Changes by kind">
        {(['new', 'changed', 'removed', 'unchanged'] as const).map((kind) => (
          <div key={kind}>
            <dt>{KINDS[kind]}</dt>
            <dd>{counts[kind].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      {changes.length > 0 && (
        <Scroller label="Changes" isBounded>
          <table class="change-list">
            <thead>
              <tr>
                <th scope="col">Product</th>
                <th scope="col">Currency</th>
                <th scope="col">Change</th>
                <th scope="col" class="number">
                  Old
                </th>
                <th scope="col" class="number">
                  New
                </th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ productId, currency, kind, before, after, rows }) => (
                <tr key={`${currency} ${productId ?? ''}`}>
                  <td>{productId === undefined ? 'All products' : <Name>{productId}</Name>}</td>
                  <td>{currency}</td>
                  <td>
                    <span class={`change ${kind}`}>{KINDS[kind]}</span>
                  </td>
                  <td class="number soft">
                    <bdi>{before}</bdi>
                  </td>
                  <td class="number">
                    <bdi>{after}</bdi>
                    {rows !== undefined && <div class="soft small">{rows}</div>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      )}
      {total > changes.length && (
        <p class="soft small">
          The first {changes.length} of {total.toLocaleString()} changes are shown.
        </p>
      )}
    </div>
  );
};

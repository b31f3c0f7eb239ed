import type { Schemas } from '../../api/client';
import { amountText, Name, Time } from '../../ui/text';
import type { Scope } from './draft';
import { Scroller } from '../../ui/scroller';

interface PreviewTableProps {
  readonly preview: Schemas['PricesPreview'];
  readonly scope: Scope;
}

type Change = Schemas['PreviewedChange'];

const Price = ({ amount, currency }: { readonly amount: number | null; readonly currency: string }) =>
  amount === null ? <span class="soft">no price</span> : <>{amountText(amount, currency)}</>;

const isDated = ({ at }: Change): boolean => at !== undefined;
const hasParameters = ({ parameters }: Change): boolean => parameters !== undefined;

const parametersText = (parameters: Change['parameters']): string =>
  Object.entries(parameters ?? {})
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Old and new prices. Nothing has been stored. */
export const PreviewTable = ({ preview: { changes, hasMore }, scope }: PreviewTableProps) => (
  <section class="preview stack tight" aria-label="Preview" aria-live="polite">
    <h3>Preview</h3>
    {changes.length === 0 ? (
      <p>No price changes.</p>
    ) : (
      <Scroller label="Prices before and after">
        <table>
          <thead>
            <tr>
              {scope === 'all' && <th scope="col">Product</th>}
              {changes.some(hasParameters) && <th scope="col">For</th>}
              {changes.some(isDated) && <th scope="col">From</th>}
              <th scope="col" class="number">
                Old price
              </th>
              <th scope="col" class="number">
                New price
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={`${change.productId} ${change.at ?? ''} ${JSON.stringify(change.parameters)}`}>
                {scope === 'all' && (
                  <td>
                    <Name>{change.productId}</Name>
                  </td>
                )}
                {changes.some(hasParameters) && (
                  <td>
                    <Name>{parametersText(change.parameters)}</Name>
                  </td>
                )}
                {changes.some(isDated) && (
                  <td>{change.at === undefined ? 'Now' : <Time at={change.at} />}</td>
                )}
                <td class="number soft">
                  <Price amount={change.before} currency={change.currency} />
                </td>
                <td class="number">
                  <Price amount={change.after} currency={change.currency} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    )}
    <p class="soft small">
      {hasMore && (scope === 'all' ? 'This is a sample: more prices change. ' : 'More prices change. ')}
      Nothing is saved yet. Prices in books that are based on this one may change as well.
    </p>
  </section>
);

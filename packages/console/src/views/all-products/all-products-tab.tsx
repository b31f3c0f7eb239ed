/** What a book has for all its products, by currency. */
import { useState } from 'preact/hooks';
import { answerOf, type Schemas } from '../../api/client';
import { mayWrite, useSession } from '../../session';
import { Empty, Loading, ProblemNotice } from '../../ui/notice';
import { Time } from '../../ui/text';
import { useLoad } from '../../ui/use-load';
import type { BookTabProps } from '../book-tab-props';
import { adjustmentText } from '../../ui/adjustment-words';
import { PriceEditor } from '../edit/price-editor';
import { Scroller } from '../../ui/scroller';

interface PercentsProps {
  readonly percents: Readonly<Record<string, Schemas['BookPercent']>>;
  /** Undefined for keys that only read. */
  readonly onEdit: ((currency: string) => void) | undefined;
}

const Percents = ({ percents, onEdit }: PercentsProps) => {
  const hasPlans = Object.values(percents).some(({ dated }) => dated !== undefined);
  return (
    <Scroller label="Changes of all prices">
      <table>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" class="number">
              Change
            </th>
            <th scope="col" class="minor">
              Since
            </th>
            {hasPlans && <th scope="col">Planned</th>}
            {onEdit !== undefined && (
              <th scope="col">
                <span class="hidden">Edit</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {Object.entries(percents).map(([currency, { adjustment, since, dated = [] }]) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              <td class="number change">
                {adjustment === null ? '–' : adjustmentText(adjustment, currency)}
              </td>
              <td class="soft minor">{since === null ? '–' : <Time at={since} />}</td>
              {hasPlans && (
                <td class="soft">
                  {dated.length === 0 ? '–' : dated.map((one) => adjustmentText(one, currency)).join('; ')}
                </td>
              )}
              {onEdit !== undefined && (
                <td class="number">
                  <button
                    type="button"
                    aria-label={`Change ${currency}`}
                    onClick={() => {
                      onEdit(currency);
                    }}
                  >
                    Change
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
};

export const AllProductsTab = ({ book, onChanged }: BookTabProps) => {
  const { api, key } = useSession();
  const [edited, setEdited] = useState<string>();
  const { data, problem, reload } = useLoad(
    (signal) =>
      answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/percents', {
          params: { path: { priceBookId: book.id } },
          signal,
        }),
      ),
    [book.id],
  );
  return (
    <>
      <div class="row apart">
        <p class="soft">Changes the price of every product that has no change of its own.</p>
        {mayWrite(key) && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              setEdited('');
            }}
          >
            Set percent
          </button>
        )}
      </div>
      {problem !== undefined && <ProblemNotice problem={problem} onRetry={reload} />}
      {data === undefined && problem === undefined && <Loading what="percents" />}
      {data !== undefined && Object.keys(data).length === 0 && (
        <Empty title="No percent for all products">
          <p class="soft">Prices are those of the products, and of the base book if there is one.</p>
        </Empty>
      )}
      {data !== undefined && Object.keys(data).length > 0 && (
        <Percents percents={data} onEdit={mayWrite(key) ? setEdited : undefined} />
      )}
      {edited !== undefined && (
        <PriceEditor
          title="Change all prices"
          book={book}
          scope="all"
          initial={{ productId: '', currency: edited }}
          onClose={() => {
            setEdited(undefined);
          }}
          onSaved={() => {
            reload();
            onChanged();
          }}
        />
      )}
    </>
  );
};

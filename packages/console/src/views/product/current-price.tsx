/** The price now, since when, and until when where something is planned. */
import type { Schemas } from '../../api/client';
import { Loading } from '../../ui/notice';
import { amountText, Name, Time } from '../../ui/text';
import type { Load } from '../../ui/use-load';
import { type AskedProperty, missingFor } from './properties';
import type { AskedPrice } from './question';

const Missing = ({ missing }: { readonly missing: string | undefined }) => (
  <>
    <p class="headline soft">{missing === undefined ? 'No price' : 'Depends'}</p>
    <p class="soft">
      {missing === undefined ? (
        'There is no price for it now in this currency. The timeline shows when there was or will be one.'
      ) : (
        <>
          The price depends on <Name>{missing}</Name>: enter it below.
        </>
      )}
    </p>
  </>
);

const Priced = ({
  price: { price, currency, effectiveDate, validUntil },
}: {
  readonly price: Schemas['ListedPrice'];
}) => (
  <>
    <p class="headline">{price !== undefined && amountText(price, currency)}</p>
    <p class="soft">
      {effectiveDate !== undefined && (
        <>
          Since <Time at={effectiveDate} />
        </>
      )}
      {typeof validUntil === 'string' && (
        <>
          , valid until <Time at={validUntil} />
        </>
      )}
    </p>
  </>
);

interface CurrentPriceProps {
  readonly load: Load<AskedPrice>;
  readonly properties: readonly AskedProperty[];
}

export const CurrentPrice = ({ load: { data, problem, isLoading }, properties }: CurrentPriceProps) => (
  <section
    class={`current stack tight ${isLoading && data !== undefined ? 'stale' : ''}`}
    aria-labelledby="current-price"
    aria-busy={isLoading}
  >
    <h2 id="current-price">Price now</h2>
    {problem !== undefined && <p class="soft">The price could not be read.</p>}
    {problem === undefined && data === undefined && <Loading what="the price" />}
    {problem === undefined &&
      data !== undefined &&
      (data.listed?.price === undefined ? (
        <Missing missing={missingFor(data.listed?.problem, data.question, properties)} />
      ) : (
        <Priced price={data.listed} />
      ))}
  </section>
);

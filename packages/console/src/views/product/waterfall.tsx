/** From a list price to the answer: what each book did, who set it and when. */
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client';
import { bookHref } from '../../router';
import { adjustmentWords, InWords, type Words } from '../../ui/adjustment-words';
import { Actor } from '../../ui/key-names';
import { amountText, Name, Time } from '../../ui/text';
import { chosenWords, differenceText } from './in-words';

type Step = Schemas['PriceStep'];

/** The event that a step goes back to. */
type Stamp = Pick<Schemas['EnteredPrice'], 'occurredAt' | 'actor' | 'reason'>;

const StampLine = ({ stamp: { occurredAt, actor, reason } }: { readonly stamp: Stamp }) => (
  <p class="small soft">
    <Time at={occurredAt} /> by <Actor id={actor} />
    {reason !== undefined && (
      <>
        {' · '}
        <q>
          <Name>{reason}</Name>
        </q>
      </>
    )}
  </p>
);

interface BarProps {
  readonly from: number;
  readonly to: number;
  readonly max: number;
  readonly kind: 'price' | 'more' | 'less' | 'total';
}

const Bar = ({ from, to, max, kind }: BarProps) => {
  const share = (amount: number): number => (max === 0 ? 0 : (100 * amount) / max);
  const [low, high] = from < to ? [from, to] : [to, from];
  return (
    <svg class={`bar ${kind}`} aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect x={share(low)} y={0} width={Math.max(0.5, share(high - low))} height={1} />
    </svg>
  );
};

interface RowProps {
  readonly label: ComponentChildren;
  readonly bar: Omit<BarProps, 'max'>;
  readonly max: number;
  /** What the step did to the price, where it changed one. */
  readonly effect?: string;
  readonly price: string;
  readonly children?: ComponentChildren;
}

const Row = ({ label, bar, max, effect, price, children }: RowProps) => (
  <li class="step">
    <div class="what">
      <p>{label}</p>
      {children}
    </div>
    <Bar {...bar} max={max} />
    <p class="effect number soft">{effect}</p>
    <p class="result number">{price}</p>
  </li>
);

const roundingText = ({ exact, roundedTo, adjustment }: Schemas['AppliedChange']): string => {
  if (roundedTo === null) return 'Not rounded: the change leaves the price as it is.';
  return adjustment.roundTo === undefined
    ? `Exactly ${exact}, rounded to ${String(roundedTo)} ${roundedTo === 1 ? 'digit' : 'digits'}.`
    : `Exactly ${exact} before it was rounded.`;
};

const coveredWords = ({ over }: Step, currency: string): readonly Words[] =>
  [over?.product, over?.allProducts].flatMap((covered) =>
    [covered?.absolute, covered?.relative].flatMap((one): Words[] =>
      one === undefined
        ? []
        : [['When the temporary change ends: ', ...adjustmentWords(one.adjustment, currency, true)]],
    ),
  );

interface StepRowsProps {
  readonly step: Step;
  readonly currency: string;
  readonly max: number;
  readonly bookNames: ReadonlyMap<string, string>;
}

const StepRows = ({ step, currency, max, bookNames }: StepRowsProps) => {
  const { entered, change, removed, ended, listPrice, price, priceBookId } = step;
  const book = (
    <a href={bookHref(priceBookId)}>
      <Name>{bookNames.get(priceBookId) ?? priceBookId}</Name>
    </a>
  );
  const notes = (
    <>
      {coveredWords(step, currency).map((words) => (
        <p class="small soft">
          <InWords words={words} />
        </p>
      ))}
      {ended !== undefined && (
        <p class="small soft">
          A temporary change ended: <Time at={ended} />
        </p>
      )}
      {removed !== undefined && (
        <>
          <p class="small soft">An earlier entry of this book was removed:</p>
          <StampLine stamp={removed} />
        </>
      )}
    </>
  );
  return (
    <>
      {entered !== undefined && (
        <Row
          label={
            <>
              <strong>List price</strong> in {book}:{' '}
              <InWords words={adjustmentWords(entered.adjustment, currency, true)} />
              <InWords words={chosenWords(entered.chosen)} />
            </>
          }
          bar={{ from: 0, to: listPrice, kind: 'price' }}
          max={max}
          price={amountText(listPrice, currency)}
        >
          <StampLine stamp={entered} />
          {change === undefined && notes}
        </Row>
      )}
      {change !== undefined && (
        <Row
          label={
            <>
              <strong>
                <InWords words={adjustmentWords(change.adjustment, currency)} />{' '}
                {change.of === 'product' ? 'for this product' : 'for all products'}
              </strong>{' '}
              in {book}
            </>
          }
          bar={{ from: listPrice, to: price, kind: price < listPrice ? 'less' : 'more' }}
          max={max}
          effect={differenceText(listPrice, price, currency)}
          price={amountText(price, currency)}
        >
          {Number(change.exact) !== step.price && <p class="small soft">{roundingText(change)}</p>}
          <StampLine stamp={change} />
          {notes}
        </Row>
      )}
      {entered === undefined && change === undefined && (
        <Row
          label={<>{book} leaves the price of its base as it is</>}
          bar={{ from: price, to: price, kind: 'more' }}
          max={max}
          effect="no change"
          price={amountText(price, currency)}
        >
          {notes}
        </Row>
      )}
    </>
  );
};

interface WaterfallProps extends Pick<StepRowsProps, 'bookNames'> {
  readonly price: Schemas['ProductPrice'];
}

export const Waterfall = ({ price: answer, bookNames }: WaterfallProps) => {
  const steps = answer.explanation?.steps ?? [];
  const max = Math.max(...steps.flatMap(({ listPrice, price }) => [listPrice, price]), answer.price);
  return (
    <ol class="waterfall">
      {steps.map((step) => (
        <StepRows key={step.priceBookId} {...{ step, max, bookNames }} currency={answer.currency} />
      ))}
      <Row
        label={<strong>Price</strong>}
        bar={{ from: 0, to: answer.price, kind: 'total' }}
        max={max}
        price={amountText(answer.price, answer.currency)}
      />
    </ol>
  );
};

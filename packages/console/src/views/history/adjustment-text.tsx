/** What was set for a product in a currency, in a few words. */
import type { Schemas } from '../../api/client';
import { amountText, Name, percentText, Time } from '../../ui/text';

export type Adjustment = Schemas['RequestedAdjustment'];

const counted = (count: number, one: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : `${one}s`}`;

interface AdjustmentProps {
  readonly adjustment: Adjustment;
  readonly currency: string;
}

const Kind = ({ adjustment, currency }: AdjustmentProps) => {
  switch (adjustment.type) {
    case 'override':
      return <>{amountText(adjustment.amount, currency)}</>;
    case 'percent':
      return <>{percentText(adjustment.amount)}</>;
    case 'fixedAmount':
      return (
        <>
          {adjustment.amount > 0 && '+'}
          {amountText(adjustment.amount, currency)}
        </>
      );
    case 'enum':
      return (
        <>
          {counted(adjustment.values.length, 'price')} by <Name>{adjustment.property}</Name>
        </>
      );
    case 'range':
      return (
        <>
          {counted(adjustment.values.length, 'range')} of <Name>{adjustment.property}</Name>
        </>
      );
    case 'volume':
      return <>volume prices with {counted(adjustment.tiers.length, 'tier')}</>;
    case 'graduated':
      return <>graduated prices with {counted(adjustment.tiers.length, 'tier')}</>;
    case 'null':
      return <>no price of its own</>;
    case 'cancel':
      return <>dated change cancelled</>;
  }
};

export const AdjustmentText = ({ adjustment, currency }: AdjustmentProps) => (
  <>
    <Kind adjustment={adjustment} currency={currency} />
    {adjustment.validFrom !== undefined && (
      <>
        {' '}
        from <Time at={adjustment.validFrom} />
      </>
    )}
    {adjustment.validUntil !== undefined && (
      <>
        {' '}
        until <Time at={adjustment.validUntil} />
      </>
    )}
  </>
);

/** What was set for a product in a currency, in a few words. */
import type { Schemas } from '../../api/client';
import { amountText, changeText, counted, Dates, Name, percentText } from '../../ui/text';

export type Adjustment = Schemas['RequestedAdjustment'];

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
      return <>{changeText(adjustment.amount, currency)}</>;
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
    <Dates validFrom={adjustment.validFrom} validUntil={adjustment.validUntil} />
  </>
);

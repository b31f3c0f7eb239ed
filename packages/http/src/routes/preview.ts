/** What a dry run answers. */
import type { PreviewedChange, PreviewOutcome } from '@pricebook/application';
import type { EntriesPreviewBody, PreviewBody } from '../answers/preview';
import { writeHeaders } from './write-headers';

const changeOf = ({
  productId,
  currency,
  choices,
  at,
  before,
  after,
}: PreviewedChange): PreviewBody['changes'][number] => ({
  productId,
  currency,
  ...(at !== undefined && { at }),
  ...(choices.length > 0 && {
    parameters: Object.fromEntries(choices.map(({ property, value }) => [property, value])),
  }),
  before,
  after,
});

export const previewBodyOf = ({
  priceBookId,
  revision,
  updatedAt,
  preview: { changes, hasMore },
}: PreviewOutcome): EntriesPreviewBody => ({
  priceBookId,
  revision,
  updatedAt,
  preview: { changes: changes.map(changeOf), hasMore },
});

/** The tag of the book as it is: with it the write can be sent for the book that the preview is of, and no other. */
export const previewHeaders = ({ revision }: PreviewOutcome): Readonly<Record<string, string>> =>
  writeHeaders({ revision, projectionBehind: false });

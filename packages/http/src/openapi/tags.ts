/** What operations are about, in the order in which documents show them. */
export const TAGS = {
  'Price books': 'Books of prices. A book stands alone, or takes its list prices from another one, its base.',
  Prices: 'What products cost: set, read, and asked for many at once.',
  'Selection rules':
    'Which book answers a price that is asked with a context, such as a customer group or a country.',
  History: 'How books and prices came to be what they are.',
  Webhooks: 'Tell another system of every change of a price: docs/webhooks.md has how to verify messages.',
  'API keys': 'Who may use the service.',
  Service: 'For those who run the service, or write clients for it. None of these needs a key.',
} as const;

export type Tag = keyof typeof TAGS;

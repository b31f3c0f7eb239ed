/** All operations of the API. */
import type { Route } from './route';
import { apiKeyRoutes } from './routes/api-keys';
import { effectivePriceRoutes } from './routes/effective-prices';
import { eventRoutes } from './routes/events';
import { historyRoutes } from './routes/history';
import { ownPriceRoutes } from './routes/own-prices';
import { priceBookRoutes } from './routes/price-books';
import { priceHistoryRoutes } from './routes/price-history';
import { priceRoutes } from './routes/prices';
import { contextPriceRoutes } from './routes/prices-by-context';
import { productRoutes } from './routes/products';
import { quoteRoutes } from './routes/quote';
import { selectionRuleRoutes } from './routes/selection-rules';
import { upcomingRoutes } from './routes/upcoming';
import { webhookMessageRoutes } from './routes/webhook-messages';
import { webhookRoutes } from './routes/webhooks';

export const apiRoutes: readonly Route[] = [
  ...priceBookRoutes,
  ...priceRoutes,
  ...ownPriceRoutes,
  ...effectivePriceRoutes,
  ...historyRoutes,
  ...eventRoutes,
  ...priceHistoryRoutes,
  ...upcomingRoutes,
  ...quoteRoutes,
  ...contextPriceRoutes,
  ...selectionRuleRoutes,
  ...webhookRoutes,
  ...webhookMessageRoutes,
  ...productRoutes,
  ...apiKeyRoutes,
];

/** The operations that most requests are for. No other operation has a path that theirs match. */
export const frequentRoutes: readonly Route[] = [...priceRoutes, ...quoteRoutes];

import { joinHiddenParts, listUnreadParts } from '@nodewright/dashboard';
import type { CallerCheck } from './caller-review.ts';
import type { DashboardFeed } from './dashboard-feed.ts';

/** Hides from every caller what rests on kinds that the reader of the cluster may not read: it would not be true. */
export const hideUnread =
  (review: CallerCheck, feed: Pick<DashboardFeed, 'state'>): CallerCheck =>
  async (headers) => {
    const sight = await review(headers);
    const { unread = new Set<string>() } = feed.state();
    return sight && { ...sight, hidden: joinHiddenParts(sight.hidden, listUnreadParts(unread)) };
  };

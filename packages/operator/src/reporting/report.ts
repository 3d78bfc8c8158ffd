import type { EventReport } from '@nodewright/runtime';

/** Publishes an event; never fails the turn that made it. */
export type Reporter = (report: EventReport) => void;

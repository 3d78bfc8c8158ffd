import { type Instant, toTimestamp } from '@nodewright/apis';
import type { ClusterReading } from '@nodewright/operator';
import { createNodeJudges } from '../explain/node-judges.ts';
import type { ImageReport } from '../images/image-report.ts';
import { viewBlockers } from './blockers.ts';
import type { Dashboard } from '../rows/dashboard-rows.ts';
import { viewFleet } from './fleet.ts';
import { viewImages, viewNodeClasses } from './images.ts';
import { viewNodeGroups } from './node-groups.ts';
import { viewNotifications } from './notifications.ts';
import { viewPolicies } from './policies.ts';
import { viewRollouts } from './rollouts.ts';
import { viewKeptNodes } from './kept-nodes.ts';
import { planSavings, viewSavings } from './savings.ts';
import { viewSpending } from './spending.ts';
import { viewWaitingPods } from './waiting-pods.ts';

export type DashboardSources = {
  readonly reading: ClusterReading;
  /** What is known of the images of each EC2NodeClass. */
  readonly reports: readonly ImageReport[];
  readonly now: Instant;
};

/** Everything that the terminal view and the page show. Equal sources give equal views, to the byte. */
export function viewDashboard({ reading, reports, now }: DashboardSources): Dashboard {
  const judges = createNodeJudges(reading, now);
  const plans = planSavings(reading, now);
  return {
    at: toTimestamp(now),
    nodes: viewFleet(reading, reports, judges),
    blockers: viewBlockers(reading, judges, now),
    rollouts: viewRollouts(reading, now),
    images: viewImages(reports),
    nodeClasses: viewNodeClasses(reading.nodeClasses, reports),
    spending: viewSpending(reading),
    savings: viewSavings(reading, plans),
    keptNodes: viewKeptNodes(reading, plans),
    waiting: viewWaitingPods(reading),
    policies: viewPolicies(reading),
    notifications: viewNotifications(reading),
    nodeGroups: viewNodeGroups(reading.nodeGroups),
  };
}

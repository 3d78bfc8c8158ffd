import { byText, type Instant } from '@nodewright/apis';
import {
  explainBudget,
  explainMachine,
  explainNodeClass,
  explainNodeGroup,
  explainNodePool,
  explainPod,
  explainRollout,
  findNamed,
  NoSuchObjectError,
} from '@nodewright/dashboard';
import type { ExplainedRow } from '@nodewright/dashboard/rows';
import { isActivePod, nodeNameOf, podName } from '@nodewright/engine';
import type { FeedReading } from './compose-dashboard.ts';

/**
 * Explains what a row of the dashboard is about.
 * @param path such as `node/ip-10-0-1-7`, `pod/default/web-1`, `nodepool/default`, `budget/default`, `nodeclass/default`,
 *   `rollout/web-3`, `nodegroup/workers`
 * @throws NoSuchObjectError when the reading has no such object, or nothing of that kind is explained
 */
export function explainRow(path: string, { reading, reports }: FeedReading, now: Instant): ExplainedRow {
  const [kind = '', first = '', second] = path.split('/').map(decodeURIComponent);
  const command = `nodewright explain ${kind} ${second === undefined ? first : `${first}/${second}`}`;
  switch (kind) {
    case 'node':
      return { ...explainMachine(first, reading, now), command, pods: listPodsOfNode(first, reading) };
    case 'pod': {
      const key = second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
      return { ...explainPod(key, reading, now), command };
    }
    case 'nodepool':
      return { ...explainNodePool(first, reading, now), command };
    case 'budget':
      return { ...explainBudget(first, reading, now), command };
    case 'rollout':
      return { ...explainRollout(first, reading, now), command };
    case 'nodegroup':
      return { ...explainNodeGroup(first, reading), command };
    case 'nodeclass': {
      const report = findReport(first, reports);
      return { ...explainNodeClass(findNamed('EC2NodeClass', reading.nodeClasses, first), report), command };
    }
    default:
      throw new NoSuchObjectError(
        `there is no explanation of "${kind}"; there is node, pod, nodepool, budget, nodeclass, rollout, nodegroup`,
      );
  }
}

function findReport(name: string, reports: FeedReading['reports']): FeedReading['reports'][number] {
  const report = reports.find((each) => each.name === name);
  if (report === undefined) throw new NoSuchObjectError(`the images of EC2NodeClass ${name} have not been read`);
  return report;
}

function listPodsOfNode(name: string, { disruption }: FeedReading['reading']): readonly string[] {
  const state = disruption.nodes.find(
    (each) => nodeNameOf(each) === name || each.nodeClaim?.metadata.name === name || each.node?.metadata.name === name,
  );
  return (state?.pods ?? []).filter(isActivePod).map(podName).toSorted(byText);
}

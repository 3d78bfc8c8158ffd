import { type Condition, type Instant, type Node, oncePerObject } from '@nodewright/apis';
import { isActivePod, type NodeState, podName } from '@nodewright/engine';
import { mayBeTroubled, podTrouble } from './pod-trouble.ts';

const mostTroubledPods = 3;

/** What is wrong with a node and its pods, worst first: one clause each, whose subject is the node. */
export function nodeTroubles(state: NodeState, now: Instant): readonly string[] {
  const { node, nodeClaim } = state;
  if (node === undefined) return nodeClaim === undefined ? [] : ['it has not joined the cluster'];
  return [...kubeletTroubles(node), ...podTroubles(state, now)];
}

/** What the kubelet says is wrong. */
export function kubeletTroubles({ status }: Node): readonly string[] {
  const conditions = status?.conditions ?? [];
  const ready = conditions.find(({ type }) => type === 'Ready');
  return [...readyTrouble(ready), ...conditions.filter(isTrouble).map(printedTrouble)];
}

/** Conditions such as `KernelReady` of the node monitoring agent should be true, pressures and all others false. */
const isTrouble = ({ type, status }: Condition): boolean =>
  type !== 'Ready' && (type.endsWith('Ready') ? status === 'False' : status === 'True');

function readyTrouble(ready: Condition | undefined): readonly string[] {
  if (ready === undefined) return ['its kubelet has not reported yet'];
  if (ready.status === 'True') return [];
  const said = ready.status === 'Unknown' ? 'its kubelet is silent' : 'its kubelet reports that it is not ready';
  return [`${said}${printSince(ready)}${printCondition(ready)}`];
}

const printedTrouble = (condition: Condition): string =>
  `its condition ${condition.type} is ${condition.status}${printSince(condition)}${printCondition(condition)}`;

const printSince = ({ lastTransitionTime }: Condition): string =>
  lastTransitionTime === undefined ? '' : ` since ${lastTransitionTime}`;

function printCondition({ reason, message }: Condition): string {
  const words = [reason, message].filter((each) => each !== undefined && each !== '').join(', ');
  return words === '' ? '' : ` (${words})`;
}

/** Most nodes have none. */
const podsInQuestion = oncePerObject(({ pods }: NodeState) =>
  pods.filter((pod) => isActivePod(pod) && mayBeTroubled(pod)),
);

function podTroubles(state: NodeState, now: Instant): readonly string[] {
  const troubled = podsInQuestion(state).flatMap((pod) => {
    const trouble = podTrouble(pod, now);
    return trouble === undefined ? [] : [`its pod ${podName(pod)} ${trouble}`];
  });
  const more = troubled.length - mostTroubledPods;
  return more > 0 ? [...troubled.slice(0, mostTroubledPods), `${more} more of its pods do not run`] : troubled;
}

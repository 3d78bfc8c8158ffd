import { kubernetesLabels } from '@nodewright/apis';
import type { Pod, Taint } from '@nodewright/apis';
import {
  hostnameOf,
  isInitialized,
  nodeAvailableOf,
  nodeLabelsOf,
  nodeNameOf,
  nodeTaintsOf,
} from '../cluster/node-state.ts';
import type { NodeState } from '../cluster/node-state.ts';
import { podRequests } from '../pods/pod-requests.ts';
import { isDaemonPod, isTerminal, podName } from '../pods/pod-state.ts';
import { isCompatible } from '../requirements/compatibility.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { AttachmentRoom } from '../volumes/attached-volumes.ts';
import { overheadOf, toleratesTaints } from './daemon-overhead.ts';
import { hostPortsOf, takenPort } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import { constraintsOf, strictRequirements } from './pod-constraints.ts';
import type { Refusal } from './planned-node.ts';
import type { PodClass, PodForm } from './pod-class.ts';
import type { SchedulingProblem } from './problem.ts';
import { fits, subtractRows } from './resource-rows.ts';
import type { ResourceRow, ResourceTable } from './resource-rows.ts';
import { addResources, noResources, subtractResources } from './resources.ts';
import { untoleratedTaint } from './tolerations.ts';
import { placeInTopology, recordInTopology } from './topology/topology-placement.ts';

const nothingUndefined: ReadonlySet<string> = new Set();

/** What a node is looked at with. */
type Surroundings = Pick<SchedulingProblem, 'daemonPods' | 'attachedVolumes'> & { readonly resources: ResourceTable };
/** Labels that were read never change, and every round asks for those of the same nodes. */
const known = new WeakMap<
  Readonly<Record<string, string>>,
  { readonly hostname: string; readonly all: Requirements }
>();

function requirementsOfNode(labels: Readonly<Record<string, string>>, hostname: string): Requirements {
  const before = known.get(labels);
  if (before?.hostname === hostname) return before.all;
  const all = requirementsOfLabels({ ...labels, [kubernetesLabels.hostname]: hostname });
  known.set(labels, { hostname, all });
  return all;
}

/** A node that is there or in flight, and what it can still take. */
export class ExistingNode {
  readonly state: NodeState;
  readonly name: string;
  readonly hostname: string;
  readonly initialized: boolean;
  readonly taints: readonly Taint[];
  readonly mayBeUndefined = nothingUndefined;
  readonly pods: Pod[] = [];
  /** Its labels: complete, so no pod narrows them. */
  readonly requirements: Requirements;
  #available: ResourceRow;
  #hostPorts: readonly HostPort[];
  readonly #attachments: AttachmentRoom;

  constructor(state: NodeState, { daemonPods, resources, attachedVolumes }: Surroundings) {
    this.state = state;
    this.name = nodeNameOf(state);
    this.hostname = hostnameOf(state);
    this.initialized = isInitialized(state);
    this.taints = nodeTaintsOf(state);
    this.requirements = requirementsOfNode(nodeLabelsOf(state), this.hostname);
    this.#available = resources.row(availableBesideDaemons(state, this.#expected(daemonPods)));
    this.#attachments = attachmentsOf(state, attachedVolumes);
    this.#hostPorts = state.pods.flatMap((pod) => (isTerminal(pod) ? [] : hostPortsOf(pod)));
  }

  /** Whether a pod fits. Changes nothing. */
  consider(podClass: PodClass, form: PodForm): 'fits' | Refusal {
    if (!fits(podClass.row, this.#available)) return 'never';
    if (untoleratedTaint(this.taints, form.constraints.tolerations) !== undefined) return 'never';
    if (takenPort(podClass.hostPorts, this.#hostPorts) !== undefined) return 'never';
    if (!this.#attachments.has(podClass.attached)) return 'never';
    if (!isCompatible(this.requirements, form.requirements)) return 'never';
    return this.#considerPlaces(podClass, form);
  }

  #considerPlaces(podClass: PodClass, form: PodForm): 'fits' | Refusal {
    let last: Refusal = 'never';
    for (const volumes of podClass.volumeAlternatives) {
      if (!isCompatible(this.requirements, volumes)) continue;
      const answer = placeInTopology(form, this.#asCandidate());
      if (answer.kind === 'allowed') return 'fits';
      if (!answer.forGood) last = 'later';
    }
    return last;
  }

  /** Puts a pod here, as considered just before. */
  add(pod: Pod, podClass: PodClass): void {
    this.pods.push(pod);
    this.#available = subtractRows(this.#available, podClass.row);
    this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    this.#attachments.add(podClass.attached);
    recordInTopology(podClass.counting, podClass.keepingAway, this.#asCandidate());
  }

  /** Daemons that will run here: those that tolerate the node and that its labels admit. */
  #expected(daemonPods: readonly Pod[]): readonly Pod[] {
    return daemonPods.filter(
      (daemon) =>
        toleratesTaints(daemon, this.taints) &&
        isCompatible(this.requirements, strictRequirements(constraintsOf(daemon, 'Ignore'))),
    );
  }

  #asCandidate() {
    return { requirements: this.requirements, taints: this.taints, mayBeUndefined: this.mayBeUndefined };
  }
}

/** The room for volumes beside what the pods of the node have attached. */
function attachmentsOf({ attachLimits, pods }: NodeState, attached: Surroundings['attachedVolumes']): AttachmentRoom {
  const room = new AttachmentRoom(attachLimits ?? new Map());
  if (attachLimits === undefined || attached === undefined) return room;
  for (const pod of pods) if (!isTerminal(pod)) room.add(attached.get(podName(pod)) ?? []);
  return room;
}

/** What is left when the daemons that are still missing have come. */
function availableBesideDaemons(state: NodeState, expected: readonly Pod[]) {
  if (expected.length === 0) return nodeAvailableOf(state);
  const running = state.pods
    .filter((pod) => isDaemonPod(pod) && !isTerminal(pod))
    .map(podRequests)
    .reduce(addResources, noResources);
  const missing = Object.entries(subtractResources(overheadOf(expected).requests, running)).map(
    ([name, amount]) => [name, Math.max(0, amount)] as const,
  );
  return subtractResources(nodeAvailableOf(state), Object.fromEntries(missing));
}

/** Initialized nodes first, then by name. */
export const byReadiness = (a: ExistingNode, b: ExistingNode): number =>
  Number(b.initialized) - Number(a.initialized) || (a.name < b.name ? -1 : 1);

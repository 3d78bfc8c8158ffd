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
import { isDaemonPod, isTerminal } from '../pods/pod-state.ts';
import { incompatibility, isCompatible } from '../requirements/compatibility.ts';
import { intersectSets } from '../requirements/intersection.ts';
import { requirementsOfLabels } from '../requirements/requirement-set.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { overheadOf, toleratesTaints } from './daemon-overhead.ts';
import { hostPortsOf, takenPort } from './host-ports.ts';
import type { HostPort } from './host-ports.ts';
import { constraintsOf, strictRequirements } from './pod-constraints.ts';
import type { PlacementAnswer } from './planned-node.ts';
import type { PodClass, PodForm } from './pod-class.ts';
import type { Obstacle } from './reasons.ts';
import { fits, subtractRows } from './resource-rows.ts';
import type { ResourceRow, ResourceTable } from './resource-rows.ts';
import { addResources, noResources, subtractResources } from './resources.ts';
import { untoleratedTaint } from './tolerations.ts';
import { placeInTopology, recordInTopology } from './topology/topology-placement.ts';

const refused = (obstacle: Obstacle) => ({ kind: 'refused', obstacle, forGood: true }) as const;
const nothingUndefined: ReadonlySet<string> = new Set();

/** What becomes of an existing node's labels when a pod is put there: its requirements, possibly narrower. */
export type ExistingChange = { readonly requirements: Requirements };

/** A node that is there or in flight, and what it can still take. */
export class ExistingNode {
  readonly state: NodeState;
  readonly name: string;
  readonly hostname: string;
  readonly initialized: boolean;
  readonly taints: readonly Taint[];
  readonly mayBeUndefined = nothingUndefined;
  readonly pods: Pod[] = [];
  #requirements: Requirements;
  #available: ResourceRow;
  #hostPorts: readonly HostPort[];
  readonly #refusedForGood = new Map<PodForm, Obstacle>();

  constructor(state: NodeState, daemonPods: readonly Pod[], resources: ResourceTable) {
    this.state = state;
    this.name = nodeNameOf(state);
    this.hostname = hostnameOf(state);
    this.initialized = isInitialized(state);
    this.taints = nodeTaintsOf(state);
    this.#requirements = requirementsOfLabels({ ...nodeLabelsOf(state), [kubernetesLabels.hostname]: this.hostname });
    this.#available = resources.row(availableBesideDaemons(state, this.#expected(daemonPods)));
    this.#hostPorts = state.pods.filter((pod) => !isTerminal(pod)).flatMap(hostPortsOf);
  }

  get requirements(): Requirements {
    return this.#requirements;
  }

  /** Whether a pod fits, and what that would make of the node. Changes nothing. */
  consider(podClass: PodClass, form: PodForm): PlacementAnswer<ExistingChange> {
    const before = this.#refusedForGood.get(form);
    if (before !== undefined) return refused(before);
    const answer = this.#judge(podClass, form);
    if (answer.kind === 'refused' && answer.forGood) this.#refusedForGood.set(form, answer.obstacle);
    return answer;
  }

  #judge(podClass: PodClass, form: PodForm): PlacementAnswer<ExistingChange> {
    if (!fits(podClass.row, this.#available)) return refused({ kind: 'resources', requests: podClass.requests });
    const taint = untoleratedTaint(this.taints, form.constraints.tolerations);
    if (taint !== undefined) return refused({ kind: 'taint', taint });
    const port = takenPort(podClass.hostPorts, this.#hostPorts);
    if (port !== undefined) return refused({ kind: 'hostPort', port });
    const why = incompatibility(this.#requirements, form.requirements);
    if (why !== undefined) return refused({ kind: 'requirements', why });
    return this.#judgePlaces(podClass, form);
  }

  #judgePlaces(podClass: PodClass, form: PodForm): PlacementAnswer<ExistingChange> {
    const wanted = intersectSets(this.#requirements, form.requirements);
    let last: PlacementAnswer<ExistingChange> = refused({ kind: 'resources', requests: podClass.requests });
    for (const volumes of podClass.volumeAlternatives) {
      last = this.#judgePlace(form, wanted, volumes);
      if (last.kind === 'fits') return last;
    }
    return podClass.volumeAlternatives.length === 1 ? last : { ...last, forGood: false };
  }

  #judgePlace(form: PodForm, wanted: Requirements, volumes: Requirements): PlacementAnswer<ExistingChange> {
    const why = incompatibility(this.#requirements, volumes);
    if (why !== undefined) return refused({ kind: 'volume', why });
    const answer = placeInTopology(form, { ...this.#asCandidate(), requirements: intersectSets(wanted, volumes) });
    return answer.kind === 'refused' ? answer : { kind: 'fits', change: { requirements: answer.requirements } };
  }

  /** Puts a pod here, as considered just before. */
  add(pod: Pod, podClass: PodClass, { requirements }: ExistingChange): void {
    this.pods.push(pod);
    this.#requirements = requirements;
    this.#available = subtractRows(this.#available, podClass.row);
    this.#hostPorts = [...this.#hostPorts, ...podClass.hostPorts];
    recordInTopology(podClass.counting, podClass.keepingAway, this.#asCandidate());
  }

  /** Daemons that will run here: those that tolerate the node and that its labels admit. */
  #expected(daemonPods: readonly Pod[]): readonly Pod[] {
    return daemonPods.filter(
      (daemon) =>
        toleratesTaints(daemon, this.taints) &&
        isCompatible(this.#requirements, strictRequirements(constraintsOf(daemon, 'Ignore'))),
    );
  }

  #asCandidate() {
    return { requirements: this.#requirements, taints: this.taints, mayBeUndefined: this.mayBeUndefined };
  }
}

/** What is left when the daemons that are still missing have come. */
function availableBesideDaemons(state: NodeState, expected: readonly Pod[]) {
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

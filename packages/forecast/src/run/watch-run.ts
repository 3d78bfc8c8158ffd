import {
  conditionOf,
  fromTimestamp,
  type Instant,
  karpenterLabels,
  kubernetesLabels,
  type NodeClaim,
  type Pod,
  readOwn,
} from '@nodewright/apis';
import { isActivePod, isReadyPod, podName } from '@nodewright/engine';
import type { ObjectWrite } from '@nodewright/kube-api';
import { EndpointWatch } from './endpoint-watch.ts';
import { RolloutWatch } from './rollout-watch.ts';
import { GroupNodeWatch } from './group-node-watch.ts';
import type { FleetMoment, Mutable, RunEviction, RunNode, RunRecord } from './run-record.ts';
import { WorkloadWatch } from './workload-watch.ts';

export type Price = { readonly vcpus: number; readonly microUsdPerHour: number };

type RunWatchOptions = {
  readonly now: () => Instant;
  /** The node group that an instance is of. */
  readonly groupOf: (instanceId: string) => string | undefined;
  readonly priceOf: (node: Pick<RunNode, 'instanceType' | 'zone' | 'capacityType'>) => Price;
};

/** Follows a world by its writes. */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #nodes = new Map<string, Mutable<RunNode>>();
  readonly #claimOfNode = new Map<string, string>();
  readonly #evictions: RunEviction[] = [];
  readonly #fleet: FleetMoment[] = [];
  readonly #workloads: WorkloadWatch;
  readonly #endpoints: EndpointWatch;
  readonly #rollouts = new RolloutWatch();
  readonly #groupNodes: GroupNodeWatch;
  /** Pods without a place. */
  readonly #unschedulable = new Map<string, Instant>();
  #isBefore = true;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    this.#groupNodes = new GroupNodeWatch(options);
    this.#workloads = new WorkloadWatch(options.now);
    this.#endpoints = new EndpointWatch(options.now);
  }

  /** What comes from now on was not there before. */
  begin(): void {
    this.#isBefore = false;
    this.#groupNodes.begin();
    this.#workloads.begin();
    this.#countFleet();
  }

  results(): Omit<RunRecord, 'at' | 'until' | 'hashes' | 'groups'> {
    return {
      nodes: this.#allNodes(),
      evictions: this.#evictions,
      workloads: this.#workloads.results(),
      services: this.#endpoints.results(),
      rollouts: this.#rollouts.results(),
      fleet: this.#fleet,
      unschedulable: [...this.#unschedulable].map(([pod, since]) => ({ pod, since })),
    };
  }

  see({ type, collection, object }: Pick<ObjectWrite, 'type' | 'collection' | 'object'>): void {
    const isGone = type === 'DELETED';
    switch (collection) {
      case 'nodeclaims.karpenter.sh':
        return this.#seeClaim(object as unknown as NodeClaim, isGone);
      case 'nodes':
        if (this.#groupNodes.see(object, isGone)) this.#countFleet();
        return;
      case 'pods':
        return this.#seePod(object as unknown as Pod, isGone);
      case 'poddisruptionbudgets.policy':
        return this.#workloads.seeBudget(object as never, isGone);
      case 'endpointslices.discovery.k8s.io':
        return this.#endpoints.see(object, isGone);
      case 'noderollouts.nodewright.dev':
        return this.#rollouts.see(object as never);
      default:
    }
  }

  #seeClaim(claim: NodeClaim, isGone: boolean): void {
    const now = this.#options.now();
    const { name, labels = {}, creationTimestamp, deletionTimestamp } = claim.metadata;
    const node: Mutable<RunNode> = this.#nodes.get(name) ?? {
      claim: name,
      nodePool: labels[karpenterLabels.nodePool] ?? '',
      isFromBefore: this.#isBefore,
      createdAt: this.#isBefore && creationTimestamp !== undefined ? fromTimestamp(creationTimestamp) : now,
    };
    const isNew = !this.#nodes.has(name);
    this.#nodes.set(name, node);
    const wasBought = node.instanceType !== undefined;
    const bought = labels[kubernetesLabels.instanceType];
    const nodeName = claim.status?.nodeName ?? '';
    if (nodeName !== '') node.node = nodeName;
    if (bought !== undefined) node.instanceType = bought;
    node.zone = labels[kubernetesLabels.zone] ?? '';
    node.capacityType = labels[karpenterLabels.capacityType] ?? '';
    if (node.node !== undefined) this.#claimOfNode.set(node.node, name);
    if (conditionOf(claim, 'Initialized')?.status === 'True') node.initializedAt ??= now;
    followCommand(node, claim);
    const chosen = conditionOf(claim, 'DisruptionReason');
    const drift = conditionOf(claim, 'Drifted');
    const isDrifted = drift?.status === 'True';
    if (chosen?.status === 'True') {
      node.chosenAt ??= now;
      node.reason = chosen.reason === 'Drifted' && isDrifted ? (drift.reason ?? 'Drifted') : (chosen.reason ?? '');
    } else if (deletionTimestamp === undefined) {
      // Called off, or as it should be again.
      delete node.chosenAt;
      if (isDrifted) node.reason = drift.reason ?? 'Drifted';
      else delete node.reason;
    }
    if (deletionTimestamp !== undefined) {
      node.leavesAt ??= now;
      node.reason ??= 'Deleted';
    }
    if (isGone) node.goneAt = now;
    if (isNew || isGone || wasBought !== (node.instanceType !== undefined)) this.#countFleet();
  }

  #allNodes(): readonly RunNode[] {
    return [...this.#nodes.values(), ...this.#groupNodes.results()];
  }

  #nodeNamed(name: string): RunNode | undefined {
    const claim = this.#claimOfNode.get(name);
    return claim === undefined ? this.#groupNodes.find(name) : this.#nodes.get(claim);
  }

  #countFleet(): void {
    if (this.#isBefore) return;
    const standing = this.#allNodes().filter(
      ({ goneAt, instanceType }) => goneAt === undefined && instanceType !== undefined,
    );
    const prices = standing.map((node) => this.#options.priceOf(node));
    this.#fleet.push({
      at: this.#options.now(),
      nodes: standing.length,
      vcpus: prices.reduce((sum, { vcpus }) => sum + vcpus, 0),
      microUsdPerHour: prices.reduce((sum, { microUsdPerHour }) => sum + microUsdPerHour, 0),
    });
  }

  #seePod(pod: Pod, isGone: boolean): void {
    const name = podName(pod);
    const { nodeName } = pod.spec;
    if (nodeName !== undefined && pod.metadata.deletionTimestamp !== undefined)
      this.#groupNodes.seePodLeaving(nodeName);
    const from = nodeName === undefined ? undefined : this.#nodeNamed(nodeName);
    const isReady = !isGone && isActivePod(pod) && isReadyPod(pod) && pod.metadata.deletionTimestamp === undefined;
    const workload = this.#workloads.see(pod, { isReady, isGone });
    if (isGone && from?.leavesAt !== undefined && workload !== undefined)
      this.#evictions.push({ at: this.#options.now(), pod: name, workload, from: from.node ?? from.claim });
    const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (isGone || nodeName !== undefined || scheduled?.reason !== 'Unschedulable') this.#unschedulable.delete(name);
    else if (!this.#unschedulable.has(name)) this.#unschedulable.set(name, this.#options.now());
  }
}

/** Which command takes the node away, and which one it was launched for. */
function followCommand(node: Mutable<RunNode>, { metadata: { annotations } }: NodeClaim): void {
  const launchedBy = readOwn(annotations, 'nodewright.dev/replacement-for');
  const told = readOwn(annotations, 'nodewright.dev/disruption-command');
  if (launchedBy !== undefined) node.launchedBy = launchedBy;
  if (told !== undefined) node.command = (JSON.parse(told) as { readonly id: string }).id;
}

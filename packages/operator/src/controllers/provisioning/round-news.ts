import {
  isConditionTrue,
  type Condition,
  type EC2NodeClass,
  type KubernetesObject,
  type Node,
  type NodeClaim,
  type NodePool,
  type Pod,
} from '@nodewright/apis';
import { isTerminal, isTerminating } from '@nodewright/engine';
import type { AnswerChanges } from '@nodewright/ports';
import { noteChanges } from '../../state/follow-collection.ts';
import type { Objects } from '../../state/objects.ts';

/** Counts what may give another answer to pods that a round has left without a place. */
export class RoundNews {
  readonly #handlers: (() => void)[] = [];
  #count = 0;
  #isTold = false;

  /** @param answers of the cloud, which may tell when they change */
  constructor(objects: Objects, answers?: AnswerChanges) {
    const note = (): void => this.note();
    noteChanges(objects.pods, readOfPod, note);
    noteChanges(objects.nodes, readOfNode, note);
    noteChanges(objects.nodeClaims, readOfClaim, note);
    noteChanges(objects.nodePools, readOfPool, note);
    noteChanges(objects.nodeClasses, readOfClass, note);
    noteChanges(objects.podDisruptionBudgets, ({ spec, status }) => [spec, status], note);
    noteChanges(objects.daemonSets, ({ spec }) => spec, note);
    noteChanges(objects.namespaces, ({ metadata }) => metadata.labels, note);
    noteChanges(objects.persistentVolumeClaims, ({ spec, status }) => [spec, status], note);
    noteChanges(objects.persistentVolumes, ({ spec }) => spec, note);
    noteChanges(objects.storageClasses, versionOf, note);
    noteChanges(objects.csiNodes, versionOf, note);
    noteChanges(objects.volumeAttachments, ({ spec }) => spec, note);
    noteChanges(objects.services, ({ spec }) => spec, note);
    noteChanges(objects.replicationControllers, ({ spec }) => spec, note);
    noteChanges(objects.replicaSets, ({ spec }) => spec, note);
    noteChanges(objects.statefulSets, ({ spec }) => spec, note);
    answers?.onChange(note);
  }

  /** Another number after every change. */
  latest(): number {
    this.#isTold = false;
    return this.#count;
  }

  note(): void {
    this.#count += 1;
    if (this.#isTold) return;
    this.#isTold = true;
    for (const handler of this.#handlers) handler();
  }

  /** Calls `handler` at the first change after each look at `latest`. */
  onNews(handler: () => void): void {
    this.#handlers.push(handler);
  }
}

const versionOf = ({ metadata }: KubernetesObject): unknown => metadata.resourceVersion;

const isLeaving = ({ metadata }: KubernetesObject): boolean => metadata.deletionTimestamp !== undefined;

const readOfPod = (pod: Pod): unknown => [
  pod.spec,
  pod.metadata.labels,
  pod.metadata.annotations,
  isTerminal(pod) || isTerminating(pod),
];

/** Without the times of its heartbeats. */
const readOfNode = (node: Node): unknown => [
  isLeaving(node),
  node.metadata.labels,
  node.spec,
  node.status?.allocatable,
  isConditionTrue(node, 'Ready'),
];

const readOfClaim = (claim: NodeClaim): unknown => [
  isLeaving(claim),
  claim.metadata.labels,
  claim.status?.allocatable,
  conditionsOf(claim.status?.conditions),
];

const readOfPool = (pool: NodePool): unknown => [
  isLeaving(pool),
  pool.metadata.annotations,
  pool.spec,
  conditionsOf(pool.status?.conditions),
];

const readOfClass = (nodeClass: EC2NodeClass): unknown => [isLeaving(nodeClass), nodeClass.spec, nodeClass.status];

const conditionsOf = (conditions: readonly Condition[] = []): unknown =>
  conditions.map(({ type, status, reason, message, observedGeneration }) => [
    type,
    status,
    reason,
    message,
    observedGeneration,
  ]);

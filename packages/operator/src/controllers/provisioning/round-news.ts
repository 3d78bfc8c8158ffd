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
    noteChanges(objects.pods, answerFromPod, note);
    noteChanges(objects.nodes, answerFromNode, note);
    noteChanges(objects.nodeClaims, answerFromClaim, note);
    noteChanges(objects.nodePools, answerFromPool, note);
    noteChanges(objects.nodeClasses, answerFromClass, note);
    noteChanges(objects.podDisruptionBudgets, ({ spec, status }) => [spec, status], note);
    noteChanges(objects.daemonSets, ({ spec }) => spec, note);
    noteChanges(objects.namespaces, ({ metadata }) => metadata.labels, note);
    noteChanges(objects.persistentVolumeClaims, ({ spec, status }) => [spec, status], note);
    noteChanges(objects.persistentVolumes, ({ spec }) => spec, note);
    noteChanges(objects.storageClasses, storedVersionOf, note);
    noteChanges(objects.csiNodes, storedVersionOf, note);
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

const storedVersionOf = ({ metadata }: KubernetesObject): unknown => metadata.resourceVersion;

const hasDeletionTime = ({ metadata }: KubernetesObject): boolean => metadata.deletionTimestamp !== undefined;

const answerFromPod = (pod: Pod): unknown => [
  pod.spec,
  pod.metadata.labels,
  pod.metadata.annotations,
  isTerminal(pod) || isTerminating(pod),
];

/** Without the times of its heartbeats. */
const answerFromNode = (node: Node): unknown => [
  hasDeletionTime(node),
  node.metadata.labels,
  node.spec,
  node.status?.allocatable,
  isConditionTrue(node, 'Ready'),
];

const answerFromClaim = (claim: NodeClaim): unknown => [
  hasDeletionTime(claim),
  claim.metadata.labels,
  claim.status?.allocatable,
  comparableConditions(claim.status?.conditions),
];

const answerFromPool = (pool: NodePool): unknown => [
  hasDeletionTime(pool),
  pool.metadata.annotations,
  pool.spec,
  comparableConditions(pool.status?.conditions),
];

const answerFromClass = (nodeClass: EC2NodeClass): unknown => [
  hasDeletionTime(nodeClass),
  nodeClass.spec,
  nodeClass.status,
];

const comparableConditions = (conditions: readonly Condition[] = []): unknown =>
  conditions.map(({ type, status, reason, message, observedGeneration }) => [
    type,
    status,
    reason,
    message,
    observedGeneration,
  ]);

import { karpenterLabels, kubernetesLabels, latestPerObject, type TopologySpreadConstraint } from '@nodewright/apis';
import {
  findIncompatibleLabel,
  requirementsIntersect,
  intersectSets,
  countMinValues,
  noRequirements,
  withoutKeys,
  type Requirements,
} from '@nodewright/requirements';
import { isEmptySet, keepCommon, type BitSet } from '../bit-set.ts';
import { nodeClassLabel, type NodeTemplate, preparedTemplate } from '../nodes/node-template.ts';
import type { PoolSupply } from '../../instance-types/pool-supply.ts';
import type { RoundPlacement } from '../placement/placement.ts';
import type { PlannedNode } from '../nodes/planned-node.ts';
import type { PodClass, PodForm } from '../pods/pod-class.ts';
import { requiredTermsOf } from '../../pods/required-terms.ts';
import { addRows, fitsRow, resourceTable } from '../../instance-types/resource-rows.ts';
import { untoleratedTaint } from '../../pods/tolerations.ts';
import { placeInTopology } from '../topology/topology-placement.ts';
import { countsByDriver, hasRoomFor, narrowedTypes } from '../types/type-filter.ts';
import { limitsObstacle } from './limits-obstacle.ts';
import type { PlacementObstacle } from '../reasons/obstacles.ts';
import { obstacleStage } from './printed-reasons.ts';
import type { UnschedulableReason } from '../reasons/reasons.ts';
import { isOutOfStock } from '../reasons/shortage.ts';
import { topologyObstacle } from './topology-obstacle.ts';
import {
  eliminateTypes,
  unmetCriteria,
  type RequirementSource,
  type TypeDemand,
  type TypeElimination,
} from '../reasons/type-elimination.ts';

/** Why each pool refuses a pod without a place, with as few preferences of the pod as possible. */
export function whyNot(podClass: PodClass, placement: RoundPlacement): readonly UnschedulableReason[] {
  const forms = formsWithoutPreferences(podClass.forms);
  const { templates } = placement.ground;
  if (forms.length === 0) {
    const obstacle = { kind: 'contradiction' as const, key: podClass.contradictedLabel ?? '' };
    return templates.map(({ nodePool }) => ({ kind: 'refused', nodePool: nodePool.metadata.name, obstacle }));
  }
  return templates.map((template) => whyNotFrom(template, { podClass, forms, placement }));
}

/** The forms without any preference, one for each alternative of the required node affinity; else the last form. */
function formsWithoutPreferences(forms: readonly PodForm[]): readonly PodForm[] {
  const bare = forms.filter(({ constraints: { preferredTerms, preferredAffinity, preferredAntiAffinity, spread } }) =>
    [preferredTerms, preferredAffinity, preferredAntiAffinity, spread.filter(isLoose)].every(
      ({ length }) => length === 0,
    ),
  );
  return bare.length > 0 ? bare.slice(-mostForms) : forms.slice(-1);
}

const isLoose = ({ whenUnsatisfiable }: TopologySpreadConstraint): boolean => whenUnsatisfiable === 'ScheduleAnyway';

/** The most alternatives of a pod that are examined for a reason. */
const mostForms = 5;

type ReasonQuestion = { readonly podClass: PodClass; readonly form: PodForm; readonly placement: RoundPlacement };
type Questions = Omit<ReasonQuestion, 'form'> & { readonly forms: readonly PodForm[] };

function whyNotFrom(template: NodeTemplate, { forms, ...question }: Questions): UnschedulableReason {
  const nodePool = template.nodePool.metadata.name;
  const { held } = question.podClass;
  if (held?.closed.has(nodePool) === true) return { kind: 'futileLaunch', nodePool, launch: held };
  const { contradictedLabel: label } = template;
  if (label !== undefined) return passedOverFor(nodePool, label);
  if (template.table.options.length === 0)
    return {
      kind: 'noInstanceTypes',
      nodePool,
      elimination: ownElimination(template),
      ...(forms.some((form) => takesNodesOfPool(template, { ...question, form })) ? { suits: true } : {}),
    };
  const obstacles = forms.map((form) => obstacleFrom(template, { ...question, form }));
  const obstacle = obstacles.reduce((best, each) => (obstacleStage(each) > obstacleStage(best) ? each : best));
  const terms = requiredTermsOf(question.podClass.pod).length;
  return { kind: 'refused', nodePool, obstacle, ...(terms > 1 ? { terms } : {}) };
}

/** Whether a pod would take the labels and taints of the nodes of a pool. */
function takesNodesOfPool(template: NodeTemplate, { form, placement }: ReasonQuestion): boolean {
  const { requirements } = placement.emptyNode(template, template.table.all.slice());
  return (
    untoleratedTaint(template.taints, form.constraints.tolerations) === undefined &&
    findIncompatibleLabel(requirements, form.requirements, placement.ground.wellKnownLabels) === undefined
  );
}

/** Why a NodePool launches nothing, whatever the pods: what excludes the types of its NodeClass. Absent where some are left. */
export function whyNothingToLaunch(supply: PoolSupply): UnschedulableReason | undefined {
  const nodePool = supply.nodePool.metadata.name;
  const context = { daemonPods: [], wellKnownLabels: new Set<string>(), resources: resourceTable([]) };
  const template = preparedTemplate(supply, context);
  if (template.contradictedLabel !== undefined) return passedOverFor(nodePool, template.contradictedLabel);
  if (template.table.options.length > 0) return undefined;
  return { kind: 'noInstanceTypes', nodePool, elimination: ownElimination(template) };
}

const passedOverFor = (nodePool: string, label: string): UnschedulableReason => ({
  kind: 'passedOver',
  nodePool,
  why: `its requirements and labels exclude each other on ${label}`,
});

/** How the requirements of the pool alone eliminate the types of its NodeClass. */
const ownElimination = (template: NodeTemplate): TypeElimination => latestOwnElimination(template.table, template);

/** Kept by the table of the pool. Templates that differ only in the status of the pool share it. */
const latestOwnElimination = latestPerObject(
  (_: NodeTemplate['table'], template: NodeTemplate) => eliminateTypes(template.every(), demandOfPool(template)),
  (before, now) => before.requirements === now.requirements,
);

const demandOfPool = (template: NodeTemplate): TypeDemand => ({
  before: noRequirements,
  requirements: withoutKeys(template.requirements, ownLabels(template)),
  askerOf: () => 'NodePool',
  total: [],
  attached: [],
  hostPorts: [],
  names: [],
});

/** Labels that the controller sets itself. No instance type has them. */
const ownLabels = ({ nodePool }: NodeTemplate): ReadonlySet<string> =>
  new Set([
    kubernetesLabels.hostname,
    karpenterLabels.registered,
    karpenterLabels.initialized,
    karpenterLabels.nodePool,
    nodeClassLabel(nodePool.spec.template.spec.nodeClassRef),
  ]);

/** The first check of a new node that the pod fails. Limits of the pool come last. */
function obstacleFrom(template: NodeTemplate, question: ReasonQuestion): PlacementObstacle {
  const taint = untoleratedTaint(template.taints, question.form.constraints.tolerations);
  if (taint !== undefined) return { kind: 'taint', taint, alone: isWelcome(template, question) };
  const { podClass, form, placement } = question;
  const node = placement.emptyNode(template, template.table.all.slice());
  const mayBeUndefined = placement.ground.wellKnownLabels;
  const why = findIncompatibleLabel(node.requirements, form.requirements, mayBeUndefined);
  if (why !== undefined) return { kind: 'requirements', why };
  let last: PlacementObstacle = { kind: 'nothing' };
  for (const volumes of podClass.volumeAlternatives) {
    const wanted = intersectSets(node.requirements, form.requirements);
    const elsewhere = findIncompatibleLabel(wanted, volumes, mayBeUndefined);
    if (elsewhere !== undefined) {
      last = { kind: 'volume', why: elsewhere };
      continue;
    }
    const { taints } = template;
    const asked = intersectSets(wanted, volumes);
    const answer = placeInTopology(form, { requirements: asked, taints, mayBeUndefined });
    last =
      answer.kind === 'refused'
        ? topologyObstacle(answer, { mayBeUndefined, planned: placement.planned })
        : typesObstacle(node, {
            podClass,
            placement,
            requirements: answer.requirements,
            askerOf: requirementSources(asked, volumes)(answer.requirements),
          });
  }
  return last;
}

/** Whether a new node of the pool would take the pod if it had no taints. */
function isWelcome(template: NodeTemplate, { podClass, form, placement }: ReasonQuestion): boolean {
  const admitted = placement.ground.limits.admitted(template);
  if ('exceeded' in admitted) return false;
  const tolerations = [{ operator: 'Exists' as const }];
  const tolerant = { ...form, constraints: { ...form.constraints, tolerations } };
  const change = placement.emptyNode(template, admitted).consider(podClass, tolerant, 'Strict');
  return typeof change === 'object' || change === 'deferred';
}

/** Who requires a label: topology rules add to the pod and its volumes last. */
const requirementSources =
  (asked: Requirements, volumes: Requirements) =>
  (requirements: Requirements) =>
  (key: string): RequirementSource =>
    requirements.get(key) !== asked.get(key) ? 'topology' : volumes.has(key) ? 'volume' : 'pod';

type NarrowedDemand = {
  readonly podClass: PodClass;
  readonly placement: RoundPlacement;
  readonly requirements: Requirements;
  readonly askerOf: (key: string) => RequirementSource;
};

function typesObstacle(node: PlannedNode, narrowed: NarrowedDemand): PlacementObstacle {
  const { podClass, placement, requirements, askerOf } = narrowed;
  const { ground } = placement;
  const { hostPorts, attached, row } = podClass;
  const total = addRows(ground.emptyRow, row);
  const demand = { before: node.requirements, requirements, askerOf, total, hostPorts, attached, names: ground.names };
  const fitting = narrowedTypes(node.template.table, node.types, demand);
  if (!isEmptySet(fitting)) return poolObstacle(node.template, { types: fitting, requirements }, placement);
  const options = [...node.template.table.options, ...typesOutOfStock(node.template, demand)];
  return {
    kind: 'instanceTypes',
    unmet: unmetCriteria(options, demand),
    elimination: eliminateTypes(options, demand),
  };
}

/** Types that suit the pool and the pod but have no available offering now. */
const typesOutOfStock = (template: NodeTemplate, { requirements, total, attached }: TypeDemand) =>
  template
    .short()
    .filter(
      ({ type, available }) =>
        requirementsIntersect(requirements, type.requirements) &&
        isOutOfStock(type, requirements) &&
        fitsRow(total, available) &&
        hasRoomFor(type, countsByDriver(attached)),
    );

type FittingTypes = { readonly types: BitSet; readonly requirements: Requirements };

/** Whether limits or minimum counts of the pool keep it from launching the node. */
function poolObstacle(template: NodeTemplate, fitting: FittingTypes, { ground }: RoundPlacement): PlacementObstacle {
  const admitted = ground.limits.admitted(template);
  const types = fitting.types.slice();
  if ('exceeded' in admitted) types.fill(0);
  else keepCommon(types, admitted);
  if (isEmptySet(types)) return limitsObstacle(template, ground.limits.usage(template), fitting) ?? { kind: 'nothing' };
  const left = template.table.members(types).map(({ type }) => type);
  const { short } = countMinValues(fitting.requirements, left);
  return short.length === 0 ? { kind: 'nothing' } : { kind: 'minValues', short };
}

import { kubernetesLabels } from '@nodewright/apis';
import { conflictBetween, incompatibility, intersects } from '../../requirements/compatibility.ts';
import { intersectSets } from '../../requirements/intersection.ts';
import { requirementsOfLabels } from '../../requirements/requirement-set.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { addBit, bitSet } from '../bit-set.ts';
import type { NodeTemplate, TypeOption } from '../node-template.ts';
import type { Ground } from '../placement.ts';
import { PlacementQueue } from '../placement-queue.ts';
import type { ClassifiedPod, PodForm } from '../pod-class.ts';
import type { SchedulingProblem } from '../problem.ts';
import { addRows, fits } from '../resource-rows.ts';
import type { ResourceRow } from '../resource-rows.ts';
import { prepare } from '../schedule.ts';
import { toleratesAll } from '../tolerations.ts';
import { placeInTopology, placesInTopology, recordInTopology } from '../topology/topology-placement.ts';

type SimpleNode = {
  readonly template: NodeTemplate;
  readonly pods: string[];
  requirements: Requirements;
  options: readonly TypeOption[];
  total: ResourceRow;
};

type SimpleChange = Pick<SimpleNode, 'requirements' | 'options' | 'total'>;

export type SimpleAnswer = {
  /** Names of the pods of each new node, and of its instance types. */
  readonly newNodes: readonly { readonly pods: readonly string[]; readonly types: readonly string[] }[];
  readonly unschedulable: readonly string[];
};

/**
 * The solver again, without any of what makes it fast: every node is asked about every pod, every
 * instance type looked at one by one, nothing remembered. For problems without host ports, volumes
 * and minimum counts.
 */
export function simpleSchedule(problem: SchedulingProblem): SimpleAnswer {
  const { placement, pods } = prepare(problem);
  const { ground } = placement;
  const nodes: SimpleNode[] = [];
  const queue = new PlacementQueue(pods);
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    if (!isPlaced(next, ground, nodes)) queue.pushBack(next);
  }
  return {
    newNodes: nodes.map((node) => ({ pods: node.pods, types: node.options.map(({ type }) => type.name) })),
    unschedulable: queue.left.map(({ pod }) => pod.metadata.name),
  };
}

function isPlaced(candidate: ClassifiedPod, ground: Ground, nodes: SimpleNode[]): boolean {
  const { pod, podClass } = candidate;
  return podClass.forms.some((form) => {
    const standing = ground.existing.find((node) => node.consider(podClass, form) === 'fits');
    if (standing !== undefined) {
      standing.add(pod, podClass);
      return true;
    }
    const opened = ground.templates.flatMap((template) => openNode(template, ground, nodes.length));
    const fewestFirst = nodes.toSorted((a, b) => a.pods.length - b.pods.length);
    for (const node of [...fewestFirst, ...opened]) {
      const change = changeOf(node, candidate, { form, ground });
      if (change === undefined) continue;
      add(node, candidate, { change, ground });
      if (opened.includes(node)) {
        nodes.push(node);
        ground.limits.spend(node.template, typesOf(node));
      }
      return true;
    }
    return false;
  });
}

function openNode(
  template: NodeTemplate,
  { limits, topology, emptyRow }: Ground,
  count: number,
): readonly SimpleNode[] {
  const admitted = limits.admitted(template);
  if ('exceeded' in admitted) return [];
  const hostname = `hostname-placeholder-${String(count + 1).padStart(8, '0')}`;
  topology.addHostname(hostname);
  const requirements = intersectSets(
    template.requirements,
    requirementsOfLabels({ [kubernetesLabels.hostname]: hostname }),
  );
  return [{ template, pods: [], requirements, options: template.table.members(admitted), total: emptyRow }];
}

type Attempt = { readonly form: PodForm; readonly ground: Ground };

function changeOf(node: SimpleNode, { podClass }: ClassifiedPod, { form, ground }: Attempt): SimpleChange | undefined {
  const { wellKnownLabels } = ground;
  if (!toleratesAll(node.template.taints, form.constraints.tolerations)) return undefined;
  if (incompatibility(node.requirements, form.requirements, wellKnownLabels) !== undefined) return undefined;
  const defined = [...form.requirements].filter(([key]) => node.requirements.has(key) || wellKnownLabels.has(key));
  const candidate = {
    requirements: intersectSets(node.requirements, new Map(defined)),
    taints: node.template.taints,
    mayBeUndefined: wellKnownLabels,
  };
  const total = addRows(node.total, podClass.row);
  const first = placeInTopology(form, candidate);
  const choices = [...(first.kind === 'allowed' ? [first.requirements] : []), ...placesInTopology(form, candidate)];
  for (const requirements of choices) {
    const options = node.options.filter((option) => suits(option, requirements, total));
    if (options.length > 0) return { requirements, options, total };
  }
  return undefined;
}

const suits = ({ type, available }: TypeOption, requirements: Requirements, total: ResourceRow): boolean =>
  fits(total, available) &&
  conflictBetween(requirements, type.requirements) === undefined &&
  type.offerings.some((offering) => offering.available && intersects(requirements, offering.requirements));

function add(
  node: SimpleNode,
  { pod, podClass }: ClassifiedPod,
  { change, ground }: { readonly change: SimpleChange; readonly ground: Ground },
): void {
  Object.assign(node, change);
  node.pods.push(pod.metadata.name);
  const { requirements } = change;
  const candidate = { requirements, taints: node.template.taints, mayBeUndefined: ground.wellKnownLabels };
  recordInTopology(podClass.counting, podClass.keepingAway, candidate);
}

function typesOf({ template, options }: SimpleNode) {
  const types = bitSet(template.table.options.length);
  for (const option of options) addBit(types, template.table.options.indexOf(option));
  return types;
}

import {
  parseQuantity,
  readOwn,
  type ResourceList,
  compareQuantities,
  type Quantity,
  formatQuantity,
} from '@nodewright/apis';
import { forbiddenError } from '../../../http/status-error.ts';
import { podAmounts } from '../../../builtin/pod-amounts.ts';
import type { AdmissionAttributes, AdmissionView } from '../../attributes.ts';
import { type LimitedSpec, type LimitItem, limitItemsIn, type ResourceAmounts } from './limit-range.ts';

/** Refuses a new pod whose containers ask for less or more than the LimitRanges of the namespace allow. */
export function checkPodLimits(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, operation, namespace } = attributes;
  if (operation !== 'CREATE' || object === undefined) return;
  const items = limitItemsIn(view, namespace);
  if (items.length === 0) return;
  const spec = (object['spec'] ?? {}) as LimitedSpec;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const problems = items.flatMap((item) => {
    if (item.type === 'Container') return containers.flatMap(({ resources = {} }) => amountProblems(item, resources));
    return item.type === 'Pod' ? amountProblems(item, podAmounts(spec)) : [];
  });
  refuseProblems(attributes, problems);
}

type LimitedClaim = { readonly spec?: { readonly resources?: { readonly requests?: ResourceList } } };

/** Refuses a claim that asks for less or more storage than the LimitRanges of the namespace allow. */
export function checkClaimLimits(attributes: AdmissionAttributes, view: AdmissionView): void {
  const { object, namespace } = attributes;
  const items = limitItemsIn(view, namespace).filter(({ type }) => type === 'PersistentVolumeClaim');
  const { requests = {} } = (object as LimitedClaim | undefined)?.spec?.resources ?? {};
  const problems = items.flatMap(({ type, min = {}, max = {} }) => [
    ...namesIn(min).flatMap((name) => minimumProblem({ type, name, enforced: amountOf(min, name) }, { requests })),
    ...namesIn(max).flatMap((name) => {
      const [enforced, asked] = [amountOf(max, name), amountIn(requests, name)];
      const rule = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
      if (asked === undefined) return [`${rule}.  No request is specified`];
      return compareQuantities(asked, enforced) > 0 ? [`${rule}, but request is ${formatQuantity(asked)}`] : [];
    }),
  ]);
  refuseProblems(attributes, problems);
}

function refuseProblems({ resource, name }: AdmissionAttributes, problems: readonly string[]): void {
  const texts = [...new Set(problems)];
  if (texts.length === 0) return;
  throw forbiddenError(resource, name, texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`);
}

const namesIn = (list: ResourceList): readonly string[] => Object.keys(list).toSorted();

const amountOf = (list: ResourceList, name: string): Quantity => parseQuantity(readOwn(list, name) ?? 0);

function amountIn(list: ResourceList | undefined, name: string): Quantity | undefined {
  const amount = list === undefined ? undefined : readOwn(list, name);
  return amount === undefined ? undefined : parseQuantity(amount);
}

function amountProblems(item: LimitItem, amounts: ResourceAmounts): readonly string[] {
  const { type, min = {}, max = {}, maxLimitRequestRatio: ratio = {} } = item;
  return [
    ...namesIn(min).flatMap((name) => minimumProblem({ type, name, enforced: amountOf(min, name) }, amounts)),
    ...namesIn(max).flatMap((name) => maximumProblem({ type, name, enforced: amountOf(max, name) }, amounts)),
    ...namesIn(ratio).flatMap((name) => ratioProblem({ type, name, enforced: amountOf(ratio, name) }, amounts)),
  ];
}

type LimitRule = { readonly type: string; readonly name: string; readonly enforced: Quantity };

function minimumProblem({ type, name, enforced }: LimitRule, { requests, limits }: ResourceAmounts): readonly string[] {
  const [request, limit] = [amountIn(requests, name), amountIn(limits, name)];
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined) return [`${rule}.  No request is specified`];
  if (compareQuantities(request, enforced) < 0) return [`${rule}, but request is ${formatQuantity(request)}`];
  const isLess = limit !== undefined && compareQuantities(limit, enforced) < 0;
  return isLess ? [`${rule}, but limit is ${formatQuantity(limit)}`] : [];
}

function maximumProblem({ type, name, enforced }: LimitRule, { requests, limits }: ResourceAmounts): readonly string[] {
  const [request, limit] = [amountIn(requests, name), amountIn(limits, name)];
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(enforced)}`;
  if (limit === undefined) return [`${rule}.  No limit is specified`];
  if (compareQuantities(limit, enforced) > 0) return [`${rule}, but limit is ${formatQuantity(limit)}`];
  const isMore = request !== undefined && compareQuantities(request, enforced) > 0;
  return isMore ? [`${rule}, but request is ${formatQuantity(request)}`] : [];
}

function ratioProblem({ type, name, enforced }: LimitRule, { requests, limits }: ResourceAmounts): readonly string[] {
  const [request, limit] = [amountIn(requests, name), amountIn(limits, name)];
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(enforced)}`;
  if (request === undefined || request.nanos === 0n) return [`${rule}, but no request is specified or request is 0`];
  if (limit === undefined || limit.nanos === 0n) return [`${rule}, but no limit is specified or limit is 0`];
  const observed = Number(limit.nanos) / Number(request.nanos);
  const allowed = Number(enforced.nanos) / 1e9;
  return observed > allowed ? [`${rule}, but provided ratio is ${observed.toFixed(6)}`] : [];
}

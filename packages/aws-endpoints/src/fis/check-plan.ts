import { readOwn } from '@nodewright/apis';
import { findActionKind, planAction } from './action-kinds.ts';
import { fisInvalid } from './errors.ts';
import { isSelectionMode } from './resolve-targets.ts';
import type { ExperimentPlan, FisAction, FisTarget } from './template.ts';
import { hasCircle } from './timeline.ts';

/** Refuses a plan that FIS would not keep. @throws AwsError */
export function checkPlan(plan: ExperimentPlan): void {
  if (Object.keys(plan.actions).length === 0) throw fisInvalid('An experiment template needs at least one action.');
  for (const { source = '', value } of plan.stopConditions) {
    if (source !== 'none' && source !== 'aws:cloudwatch:alarm')
      throw fisInvalid(`Stop condition source ${source} is not valid.`);
    if (source !== 'none' && value === undefined)
      throw fisInvalid('A stop condition of an alarm needs the ARN of the alarm.');
  }
  for (const [name, target] of Object.entries(plan.targets)) checkExperimentTarget(name, target);
  for (const [name, action] of Object.entries(plan.actions)) checkAction(name, action, plan);
  if (hasCircle(plan.actions)) throw fisInvalid('The actions start after each other in a circle.');
}

const resourceTypes: readonly string[] = ['aws:ec2:instance', 'aws:ec2:spot-instance'];

function checkExperimentTarget(
  name: string,
  { resourceType = '', resourceArns, resourceTags, filters, selectionMode = '' }: FisTarget,
): void {
  if (!resourceTypes.includes(resourceType))
    throw fisInvalid(
      `The resource type ${resourceType} of target ${name} is not valid: the sandbox has ${resourceTypes.join(', ')}.`,
    );
  if (!isSelectionMode(selectionMode))
    throw fisInvalid(`The selection mode ${selectionMode} of target ${name} is not valid.`);
  const hasArns = (resourceArns ?? []).length > 0;
  const hasTags = Object.keys(resourceTags ?? {}).length > 0;
  if (hasArns && (hasTags || (filters ?? []).length > 0))
    throw fisInvalid(`Target ${name} has resource ARNs beside resource tags or filters.`);
  if (!hasArns && !hasTags && (filters ?? []).length === 0)
    throw fisInvalid(`Target ${name} needs resource ARNs, resource tags or filters.`);
}

function checkAction(name: string, action: FisAction, { targets, actions }: ExperimentPlan): void {
  const { target } = findActionKind(action);
  const { targets: named = {}, startAfter = [] } = action;
  const foreign = Object.keys(named).find((key) => key !== target?.name);
  if (foreign !== undefined) throw fisInvalid(`Action ${name} does not take the target ${foreign}.`);
  const chosen = target && readOwn(named, target.name);
  if (target !== undefined && chosen === undefined) throw fisInvalid(`Action ${name} needs the target ${target.name}.`);
  if (target !== undefined && chosen !== undefined && readOwn(targets, chosen)?.resourceType !== target.resourceType)
    throw fisInvalid(`Target ${chosen} of action ${name} is not of the type ${target.resourceType}.`);
  const unknown = startAfter.find((each) => readOwn(actions, each) === undefined);
  if (unknown !== undefined)
    throw fisInvalid(`Action ${name} starts after ${unknown}, which is no action of the template.`);
  planAction(action);
}

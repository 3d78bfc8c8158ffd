import { readOwn } from '@nodewright/apis';
import { findActionKind, planAction } from './action-kinds.ts';
import { experimentRefused } from './errors.ts';
import { isSelectionMode } from './resolve-targets.ts';
import type { ExperimentPlan, ExperimentAction, ExperimentTarget } from './template.ts';
import { hasCircle } from './timeline.ts';

/** Refuses a plan that FIS would not keep. @throws AwsError */
export function checkPlan(plan: ExperimentPlan): void {
  if (Object.keys(plan.actions).length === 0)
    throw experimentRefused('An experiment template needs at least one action.');
  for (const { source = '', value } of plan.stopConditions) {
    if (source !== 'none' && source !== 'aws:cloudwatch:alarm')
      throw experimentRefused(`Stop condition source ${source} is not valid.`);
    if (source !== 'none' && value === undefined)
      throw experimentRefused('A stop condition of an alarm needs the ARN of the alarm.');
  }
  for (const [name, target] of Object.entries(plan.targets)) checkPlannedTarget(name, target);
  for (const [name, action] of Object.entries(plan.actions)) checkAction(name, action, plan);
  if (hasCircle(plan.actions)) throw experimentRefused('The actions start after each other in a circle.');
}

const resourceTypes: readonly string[] = ['aws:ec2:instance', 'aws:ec2:spot-instance'];

function checkPlannedTarget(
  name: string,
  { resourceType = '', resourceArns, resourceTags, filters, selectionMode = '' }: ExperimentTarget,
): void {
  if (!resourceTypes.includes(resourceType))
    throw experimentRefused(
      `The resource type ${resourceType} of target ${name} is not valid: the sandbox has ${resourceTypes.join(', ')}.`,
    );
  if (!isSelectionMode(selectionMode))
    throw experimentRefused(`The selection mode ${selectionMode} of target ${name} is not valid.`);
  const hasArns = (resourceArns ?? []).length > 0;
  const hasTags = Object.keys(resourceTags ?? {}).length > 0;
  if (hasArns && (hasTags || (filters ?? []).length > 0))
    throw experimentRefused(`Target ${name} has resource ARNs beside resource tags or filters.`);
  if (!hasArns && !hasTags && (filters ?? []).length === 0)
    throw experimentRefused(`Target ${name} needs resource ARNs, resource tags or filters.`);
}

function checkAction(name: string, action: ExperimentAction, { targets, actions }: ExperimentPlan): void {
  const { target } = findActionKind(action);
  const { targets: named = {}, startAfter = [] } = action;
  const foreign = Object.keys(named).find((key) => key !== target?.name);
  if (foreign !== undefined) throw experimentRefused(`Action ${name} does not take the target ${foreign}.`);
  const chosen = target && readOwn(named, target.name);
  if (target !== undefined && chosen === undefined)
    throw experimentRefused(`Action ${name} needs the target ${target.name}.`);
  if (target !== undefined && chosen !== undefined && readOwn(targets, chosen)?.resourceType !== target.resourceType)
    throw experimentRefused(`Target ${chosen} of action ${name} is not of the type ${target.resourceType}.`);
  const unknown = startAfter.find((each) => readOwn(actions, each) === undefined);
  if (unknown !== undefined)
    throw experimentRefused(`Action ${name} starts after ${unknown}, which is no action of the template.`);
  planAction(action);
}

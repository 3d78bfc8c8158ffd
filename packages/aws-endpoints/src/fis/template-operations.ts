import { takePage } from '../paging.ts';
import { listActionKinds } from './action-kinds.ts';
import { checkPlan } from './check-plan.ts';
import { experimentBadToken, experimentNotFound } from './errors.ts';
import type { Experiments } from './experiments.ts';
import { writeTemplate, writeTemplateSummary } from './on-the-wire.ts';
import type { ExperimentPlan, ExperimentTemplate, ExperimentTags } from './template.ts';
import { arnOf } from '../account.ts';

type TemplateRequest = Partial<ExperimentPlan> & {
  readonly id?: string;
  readonly clientToken?: string;
  readonly tags?: ExperimentTags;
};

export type ExperimentPageRequest = { readonly maxResults?: number; readonly nextToken?: string };

export const experimentPage = ({ maxResults = 20, nextToken }: ExperimentPageRequest) => ({
  size: maxResults,
  token: nextToken,
  refuse: experimentBadToken,
});

export function createTemplate(fis: Experiments, request: TemplateRequest): object {
  const { clientToken = '' } = request;
  const twin = [...fis.templates.values()].find((each) => each.clientToken === clientToken);
  if (twin !== undefined) return { experimentTemplate: writeTemplate(fis, twin) };
  const plan: ExperimentPlan = {
    description: request.description ?? '',
    roleArn: request.roleArn ?? '',
    stopConditions: request.stopConditions ?? [],
    targets: request.targets ?? {},
    actions: request.actions ?? {},
    experimentOptions: {
      accountTargeting: 'single-account',
      emptyTargetResolutionMode: 'fail',
      ...request.experimentOptions,
    },
    ...(request.logConfiguration !== undefined && { logConfiguration: request.logConfiguration }),
  };
  checkPlan(plan);
  const now = fis.now();
  const id = `EXT${fis.random.hex(14).toUpperCase()}`;
  return keepTemplate(fis, { ...plan, id, clientToken, tags: request.tags ?? {}, createdAt: now, updatedAt: now });
}

function keepTemplate(fis: Experiments, template: ExperimentTemplate): object {
  fis.templates.set(template.id, template);
  return { experimentTemplate: writeTemplate(fis, template) };
}

/** @throws AwsError `ResourceNotFoundException` */
export function findTemplate(fis: Experiments, id = ''): ExperimentTemplate {
  const template = fis.templates.get(id);
  if (template === undefined) throw experimentNotFound('Experiment template', id);
  return template;
}

/** Replaces what the request gives. Experiments that run keep the template as it was. */
export function updateTemplate(fis: Experiments, request: TemplateRequest): object {
  const template = findTemplate(fis, request.id);
  const { description, roleArn, stopConditions, targets, actions, experimentOptions, logConfiguration } = request;
  const changed: ExperimentTemplate = {
    ...template,
    ...(description !== undefined && { description }),
    ...(roleArn !== undefined && { roleArn }),
    ...(stopConditions !== undefined && { stopConditions }),
    ...(targets !== undefined && { targets }),
    ...(actions !== undefined && { actions }),
    ...(logConfiguration !== undefined && { logConfiguration }),
    experimentOptions: { ...template.experimentOptions, ...experimentOptions },
    updatedAt: fis.now(),
  };
  checkPlan(changed);
  return keepTemplate(fis, changed);
}

export const getTemplate = (fis: Experiments, { id }: { readonly id?: string }): object => ({
  experimentTemplate: writeTemplate(fis, findTemplate(fis, id)),
});

export function deleteTemplate(fis: Experiments, { id }: { readonly id?: string }): object {
  const template = findTemplate(fis, id);
  fis.templates.delete(template.id);
  return { experimentTemplate: writeTemplate(fis, template) };
}

export function listTemplates(fis: Experiments, request: ExperimentPageRequest): object {
  const { items, next } = takePage([...fis.templates.values()], experimentPage(request));
  const experimentTemplates = items.map((each) => writeTemplateSummary(fis, each));
  return { experimentTemplates, ...(next && { nextToken: next }) };
}

export function listActions(fis: Experiments, request: ExperimentPageRequest): object {
  const { items, next } = takePage(listActionKinds(), experimentPage(request));
  const actions = items.map(([id, { description, target }]) => ({
    id,
    arn: arnOf(fis.ec2.account, 'fis', `action/${id}`),
    description,
    targets: target === undefined ? {} : { [target.name]: { resourceType: target.resourceType } },
  }));
  return { actions, ...(next && { nextToken: next }) };
}

import { instant, type Instant, readOwn } from '@nodewright/apis';
import { takePage } from '../paging.ts';
import { experimentNotFound } from './errors.ts';
import type { Experiment } from './experiment.ts';
import type { Experiments } from './experiments.ts';
import { writeExperiment, writeExperimentSummary } from './on-the-wire.ts';
import { arnOfInstance, resolveInstances } from './resolve-targets.ts';
import type { ExperimentTemplate, ExperimentTags } from './template.ts';
import { findTemplate, experimentPage, type ExperimentPageRequest } from './template-operations.ts';
import { listEffects, scheduleActions } from './timeline.ts';

type StartExperimentRequest = {
  readonly clientToken?: string;
  readonly experimentTemplateId?: string;
  readonly experimentOptions?: { readonly actionsMode?: string };
  readonly tags?: ExperimentTags;
};

/** Starts a run, or answers with the one that the same token started. */
export function startExperiment(fis: Experiments, request: StartExperimentRequest): object {
  const { clientToken = '', experimentTemplateId, experimentOptions = {}, tags = {} } = request;
  const twin = fis.all().find((each) => each.clientToken === clientToken);
  if (twin !== undefined) return { experiment: writeExperiment(fis, twin) };
  const found = findTemplate(fis, experimentTemplateId);
  const actionsMode = experimentOptions.actionsMode ?? 'run-all';
  const template = { ...found, experimentOptions: { ...found.experimentOptions, actionsMode } };
  const id = `EXP${fis.random.hex(14).toUpperCase()}`;
  const planned = planRun(fis, template, { id, clientToken, tags });
  return { experiment: writeExperiment(fis, fis.begin(planned)) };
}

function planRun(
  fis: Experiments,
  template: ExperimentTemplate,
  about: Pick<Experiment, 'id' | 'clientToken' | 'tags'>,
): Experiment {
  const now = fis.now();
  const resolved = Object.fromEntries(
    Object.entries(template.targets).map(([name, target]) => [name, resolveInstances(fis.ec2, target, fis.random)]),
  );
  const { emptyTargetResolutionMode, actionsMode } = template.experimentOptions;
  const empty = Object.entries(resolved).find(([, ids]) => ids.length === 0)?.[0];
  const actionTimes = scheduleActions(template, now);
  const run = { ...about, template, createdAt: now, actionTimes, resolved, performed: 0 };
  if (empty !== undefined && emptyTargetResolutionMode === 'fail') {
    const reason = `Target resolution returned empty set for target ${empty}.`;
    return { ...run, endsAt: now, effects: [], ended: { as: 'failed', reason, at: now } };
  }
  const effects = actionsMode === 'skip-all' ? [] : listEffects(template, actionTimes, resolved);
  return { ...run, endsAt: findEnd(actionTimes, now), effects };
}

const findEnd = (times: Experiment['actionTimes'], start: Instant): Instant =>
  instant(Math.max(start, ...Object.values(times).map(({ endsAt }) => endsAt)));

function findExperiment(fis: Experiments, id = ''): Experiment {
  const experiment = fis.find(id);
  if (experiment === undefined) throw experimentNotFound('Experiment', id);
  return experiment;
}

export const getExperiment = (fis: Experiments, { id }: { readonly id?: string }): object => ({
  experiment: writeExperiment(fis, findExperiment(fis, id)),
});

export const stopExperiment = (fis: Experiments, { id }: { readonly id?: string }): object => ({
  experiment: writeExperiment(fis, fis.stop(findExperiment(fis, id), 'Experiment stopped by user.')),
});

export function listExperiments(
  fis: Experiments,
  request: ExperimentPageRequest & { readonly experimentTemplateId?: string },
): object {
  const { experimentTemplateId: wanted } = request;
  const found = fis.all().filter(({ template }) => template.id === (wanted ?? template.id));
  const { items, next } = takePage(found, experimentPage(request));
  return { experiments: items.map((each) => writeExperimentSummary(fis, each)), ...(next && { nextToken: next }) };
}

export function listResolvedTargets(
  fis: Experiments,
  request: ExperimentPageRequest & { readonly experimentId?: string; readonly targetName?: string },
): object {
  const { template, resolved } = findExperiment(fis, request.experimentId);
  const all = Object.entries(resolved)
    .filter(([name]) => name === (request.targetName ?? name))
    .flatMap(([targetName, ids]) =>
      ids.map((id) => ({
        resourceType: readOwn(template.targets, targetName)?.resourceType,
        targetName,
        targetInformation: { arn: arnOfInstance(fis.ec2, id) },
      })),
    );
  const { items, next } = takePage(all, experimentPage(request));
  return { resolvedTargets: items, ...(next && { nextToken: next }) };
}

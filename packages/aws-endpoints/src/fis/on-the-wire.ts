import { type Instant, readOwn } from '@nodewright/apis';
import { arnOf } from '../account.ts';
import { actionState, type Experiment, experimentState } from './experiment.ts';
import type { Experiments } from './experiments.ts';
import type { ExperimentTemplate } from './template.ts';

export const templateArn = ({ ec2 }: Experiments, id: string): string =>
  arnOf(ec2.account, 'fis', `experiment-template/${id}`);

export const experimentArn = ({ ec2 }: Experiments, id: string): string =>
  arnOf(ec2.account, 'fis', `experiment/${id}`);

export const writeTemplateSummary = (fis: Experiments, template: ExperimentTemplate) => ({
  id: template.id,
  arn: templateArn(fis, template.id),
  description: template.description,
  creationTime: new Date(template.createdAt),
  lastUpdateTime: new Date(template.updatedAt),
  tags: { ...template.tags },
});

export const writeTemplate = (fis: Experiments, template: ExperimentTemplate) => ({
  ...writeTemplateSummary(fis, template),
  roleArn: template.roleArn,
  stopConditions: template.stopConditions,
  targets: template.targets,
  actions: template.actions,
  experimentOptions: template.experimentOptions,
  ...(template.logConfiguration && { logConfiguration: template.logConfiguration }),
  targetAccountConfigurationsCount: 0,
});

export const writeExperimentSummary = (fis: Experiments, experiment: Experiment) => ({
  id: experiment.id,
  arn: experimentArn(fis, experiment.id),
  experimentTemplateId: experiment.template.id,
  state: experimentState(experiment, fis.now()),
  creationTime: new Date(experiment.createdAt),
  tags: { ...experiment.tags },
});

export const writeExperiment = (fis: Experiments, experiment: Experiment) => ({
  ...writeExperimentSummary(fis, experiment),
  roleArn: experiment.template.roleArn,
  stopConditions: experiment.template.stopConditions,
  targets: experiment.template.targets,
  actions: writeExperimentActions(experiment, fis.now()),
  experimentOptions: experiment.template.experimentOptions,
  ...(experiment.template.logConfiguration && { logConfiguration: experiment.template.logConfiguration }),
  startTime: new Date(experiment.createdAt),
  ...writeEnd(experiment, fis.now()),
  targetAccountConfigurationsCount: 0,
});

function writeEnd({ ended, endsAt }: Experiment, now: Instant) {
  const end = ended?.at ?? (now >= endsAt ? endsAt : undefined);
  return end === undefined ? {} : { endTime: new Date(end) };
}

function writeExperimentActions(experiment: Experiment, now: Instant) {
  const until = experiment.ended?.at ?? now;
  return Object.fromEntries(
    Object.entries(experiment.actionTimes).map(([name, times]) => [
      name,
      {
        ...readOwn(experiment.template.actions, name),
        state: actionState(experiment, times, now),
        ...(until >= times.startsAt && { startTime: new Date(times.startsAt) }),
        ...(until >= times.endsAt && { endTime: new Date(times.endsAt) }),
      },
    ]),
  );
}

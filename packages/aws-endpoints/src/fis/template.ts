import type { Instant } from '@nodewright/apis';

export type ExperimentTags = Readonly<Record<string, string>>;

export type StopCondition = { readonly source?: string; readonly value?: string };

/** Which resources actions have an effect on. Members are those of the API. */
export type ExperimentTarget = {
  readonly resourceType?: string;
  readonly resourceArns?: readonly string[];
  readonly resourceTags?: ExperimentTags;
  readonly filters?: readonly { readonly path?: string; readonly values?: readonly string[] }[];
  readonly selectionMode?: string;
  readonly parameters?: ExperimentTags;
};

export type ExperimentAction = {
  readonly actionId?: string;
  readonly description?: string;
  readonly parameters?: ExperimentTags;
  /** Names of targets by what the action calls them. */
  readonly targets?: ExperimentTags;
  readonly startAfter?: readonly string[];
};

export type ExperimentOptions = {
  readonly accountTargeting?: string;
  readonly emptyTargetResolutionMode?: string;
  readonly actionsMode?: string;
};

type ExperimentLogs = {
  readonly cloudWatchLogsConfiguration?: { readonly logGroupArn?: string };
  readonly s3Configuration?: { readonly bucketName?: string; readonly prefix?: string };
  readonly logSchemaVersion?: number;
};

/** What a customer says of an experiment. */
export type ExperimentPlan = {
  readonly description: string;
  readonly roleArn: string;
  readonly stopConditions: readonly StopCondition[];
  readonly targets: Readonly<Record<string, ExperimentTarget>>;
  readonly actions: Readonly<Record<string, ExperimentAction>>;
  readonly experimentOptions: ExperimentOptions;
  /** Where logs would go. The sandbox writes none. */
  readonly logConfiguration?: ExperimentLogs;
};

export type ExperimentTemplate = ExperimentPlan & {
  readonly id: string;
  readonly clientToken: string;
  readonly tags: ExperimentTags;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

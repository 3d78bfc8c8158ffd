import { restProtocol } from '../codec/rest-protocol.ts';
import type { OperationSchema } from '../codec/shape.ts';
import { type AwsOperation, type AwsService, defineOperation } from '../service.ts';
import {
  getExperiment,
  listExperiments,
  listResolvedTargets,
  startExperiment,
  stopExperiment,
} from './experiment-operations.ts';
import type { Experiments } from './experiments.ts';
import { fisConstraints } from './input-limits.ts';
import {
  CreateExperimentTemplate$,
  DeleteExperimentTemplate$,
  GetExperiment$,
  GetExperimentTemplate$,
  ListActions$,
  ListExperimentResolvedTargets$,
  ListExperiments$,
  ListExperimentTemplates$,
  ListTagsForResource$,
  StartExperiment$,
  StopExperiment$,
  TagResource$,
  UntagResource$,
  UpdateExperimentTemplate$,
} from './schemas.ts';
import { listExperimentTags, tagExperiment, untagExperiment } from './tag-operations.ts';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listActions,
  listTemplates,
  updateTemplate,
} from './template-operations.ts';

/** The Fault Injection Service: experiments on instances. */
export const fisService = (fis: Experiments): AwsService => {
  const serve = <Input>(schema: OperationSchema, work: (fis: Experiments, input: Input) => object): AwsOperation =>
    defineOperation(schema, (input: Input) => work(fis, input));
  return {
    name: 'fis',
    protocol: restProtocol(),
    commonErrors: {
      throttling: { code: 'ThrottlingException', status: 429 },
      accessDenied: { code: 'AccessDeniedException', status: 403 },
    },
    constraints: fisConstraints,
    operations: [
      serve(CreateExperimentTemplate$, createTemplate),
      serve(DeleteExperimentTemplate$, deleteTemplate),
      serve(GetExperiment$, getExperiment),
      serve(GetExperimentTemplate$, getTemplate),
      serve(ListActions$, listActions),
      serve(ListExperimentResolvedTargets$, listResolvedTargets),
      serve(ListExperiments$, listExperiments),
      serve(ListExperimentTemplates$, listTemplates),
      serve(ListTagsForResource$, listExperimentTags),
      serve(StartExperiment$, startExperiment),
      serve(StopExperiment$, stopExperiment),
      serve(TagResource$, tagExperiment),
      serve(UntagResource$, untagExperiment),
      serve(UpdateExperimentTemplate$, updateTemplate),
    ],
  };
};

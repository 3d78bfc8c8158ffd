import type {
  CreateFleetRequest,
  CreateLaunchTemplateRequest,
  CreateTagsRequest,
  DeleteLaunchTemplateRequest,
  RunInstancesRequest,
  TerminateInstancesRequest,
} from '@aws-sdk/client-ec2';
import { resourceTypeOfId } from '../ec2/taggable-resources.ts';
import type { Ec2 } from '../ec2/model.ts';
import { readEc2Tags, readTagSpecifications, type TagSet } from '../ec2/tags.ts';
import type { WireStructure } from '../codec/shape.ts';
import { ec2ArnOf, type MakeDemand } from './demand-context.ts';
import type { AccessDemand } from './iam-policy.ts';
import { demandsOfCreation, demandsOfFleet, demandsOfRun, type LaunchSources } from './launch-demands.ts';

/** What a call of EC2 demands. Lists and descriptions have no resource, and neither have operations without a rule here. */
export function demandsOfEc2(
  sources: LaunchSources,
  make: MakeDemand,
  operation: string,
  input: WireStructure,
): readonly AccessDemand[] {
  const { ec2 } = sources;
  switch (operation) {
    case 'RunInstances':
      return demandsOfRun(sources, make, input as unknown as RunInstancesRequest);
    case 'CreateFleet':
      return demandsOfFleet(sources, make, input as unknown as CreateFleetRequest);
    case 'CreateLaunchTemplate': {
      const { TagSpecifications } = input as unknown as CreateLaunchTemplateRequest;
      const tags = readTagSpecifications('launch-template', TagSpecifications);
      return demandsOfCreation(make, ec2, operation, 'launch-template', tags);
    }
    case 'CreateTags':
    case 'DeleteTags': {
      const { Resources = [], Tags = [] } = input as Partial<CreateTagsRequest>;
      return demandsOnIds(ec2, make, { operation, ids: Resources, requestTags: readEc2Tags(Tags) });
    }
    case 'CreateLaunchTemplateVersion':
    case 'DeleteLaunchTemplate':
    case 'DeleteLaunchTemplateVersions':
    case 'ModifyLaunchTemplate':
      return demandsOnIds(ec2, make, { operation, ids: [templateIdOf(ec2, input)] });
    default: {
      const ids = operation.startsWith('Describe') ? [] : instanceIdsOf(input);
      return ids.length === 0 ? [make(`ec2:${operation}`, '*')] : demandsOnIds(ec2, make, { operation, ids });
    }
  }
}

type IdsOfCall = { readonly operation: string; readonly ids: readonly string[]; readonly requestTags?: TagSet };

const demandsOnIds = ({ account, tags }: Ec2, make: MakeDemand, call: IdsOfCall): readonly AccessDemand[] =>
  call.ids.map((id) =>
    make(`ec2:${call.operation}`, ec2ArnOf(account, resourceTypeOfId(id), id), {
      resourceTags: tags.of(id),
      ...(call.requestTags && { requestTags: call.requestTags }),
    }),
  );

/** Instances that a call ends, starts, stops or changes. */
function instanceIdsOf(input: WireStructure): readonly string[] {
  const { InstanceIds, InstanceId } = input as Partial<TerminateInstancesRequest> & { readonly InstanceId?: string };
  return InstanceIds ?? (InstanceId === undefined ? [] : [InstanceId]);
}

function templateIdOf({ templates }: Ec2, input: WireStructure): string {
  const { LaunchTemplateId, LaunchTemplateName } = input as DeleteLaunchTemplateRequest;
  return LaunchTemplateId ?? templates.all().find(({ name }) => name === LaunchTemplateName)?.id ?? 'lt-*';
}

import { AwsError } from '../codec/aws-error.ts';
import type { InputRules } from '../service.ts';

type TaggingRequest = { readonly tags?: Readonly<Record<string, string>> | undefined };

/** Keys that begin with `aws:` are those of AWS itself. */
const checkTagKeys = (code: string) => (request: Readonly<Record<string, unknown>>) => {
  const { tags = {} } = request as TaggingRequest;
  if (Object.keys(tags).some((key) => /^aws:/i.test(key)))
    throw new AwsError(code, 'aws: prefixed tag key names are not allowed for external use.');
};

/** What EKS checks of the tags of a request before it looks at the account. */
export const eksTagRules: InputRules = new Map([
  ...[
    'CreateAccessEntry',
    'CreateAddon',
    'CreateCluster',
    'CreateFargateProfile',
    'CreateNodegroup',
    'CreatePodIdentityAssociation',
  ].map((operation) => [operation, [checkTagKeys('InvalidParameterException')]] as const),
  ['TagResource', [checkTagKeys('BadRequestException')]] as const,
]);

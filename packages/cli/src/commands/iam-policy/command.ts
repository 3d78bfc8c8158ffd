import { buildCommand } from '@stricli/core';
import {
  dnsName,
  parseAccountId,
  parseIamName,
  parseParameterPath,
  parseQueueName,
  parseRegion,
} from '../../terminal/parsers.ts';
import type { IamPolicyFlags } from './flags.ts';

export const iamPolicyCommand = buildCommand<IamPolicyFlags>({
  docs: {
    brief: 'Print the IAM policy of the controller: every AWS call that it makes, and nothing else',
    fullDescription: [
      'Prints a policy document in JSON, made from the table of calls in the code:',
      '  nodewright iam-policy --cluster-name prod --region us-east-1 --account-id 123456789012 > policy.json',
      '  aws iam put-role-policy --role-name nodewright --policy-name nodewright --policy-document file://policy.json',
      'The partition (aws, aws-cn, aws-us-gov) follows from the region. `nodewright sandbox --iam-policy policy.json` tries it.',
      'Exit status: 0 printed, 2 wrong usage.',
    ].join('\n'),
  },
  parameters: {
    flags: {
      clusterName: { kind: 'parsed', parse: dnsName, brief: 'Name of the EKS cluster' },
      region: { kind: 'parsed', parse: parseRegion, brief: 'AWS region' },
      accountId: { kind: 'parsed', parse: parseAccountId, brief: 'AWS account, twelve digits' },
      nodeRole: {
        kind: 'parsed',
        parse: parseIamName,
        optional: true,
        brief: 'Role of the nodes, by its name [KarpenterNodeRole-CLUSTER]',
      },
      queue: {
        kind: 'parsed',
        parse: parseQueueName,
        optional: true,
        brief: 'Queue of interruption messages, by its name [that of the cluster]',
      },
      parameter: {
        kind: 'parsed',
        parse: parseParameterPath,
        optional: true,
        variadic: true,
        placeholder: 'PATH',
        brief: 'A parameter of yours that EC2NodeClasses name, such as /images/*; may be repeated',
      },
      nodeGroups: {
        kind: 'boolean',
        default: false,
        withNegated: false,
        brief: 'Also what NodeGroups need: managed node groups and Auto Scaling groups',
      },
    },
  },
  loader: async () => (await import('./print-iam-policy.ts')).printIamPolicy,
});

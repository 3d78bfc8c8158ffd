import { inPath, ownSchemas, refTo, stringSchema, timeSchema } from '../codec/own-schemas.ts';

/** The shapes of EKS Auth. */
const { structure, operation } = ownSchemas('com.amazonaws.eksauth');

export const AssumeRoleForPodIdentity$ = operation(
  'AssumeRoleForPodIdentity',
  {
    input: [
      ['clusterName', inPath(stringSchema)],
      ['token', stringSchema],
    ],
    output: [
      [
        'subject',
        refTo(
          structure('Subject', [
            ['namespace', stringSchema],
            ['serviceAccount', stringSchema],
          ]),
        ),
      ],
      ['audience', stringSchema],
      [
        'podIdentityAssociation',
        refTo(
          structure('PodIdentityAssociation', [
            ['associationArn', stringSchema],
            ['associationId', stringSchema],
          ]),
        ),
      ],
      [
        'assumedRoleUser',
        refTo(
          structure('AssumedRoleUser', [
            ['arn', stringSchema],
            ['assumeRoleId', stringSchema],
          ]),
        ),
      ],
      [
        'credentials',
        refTo(
          structure('Credentials', [
            ['sessionToken', stringSchema],
            ['secretAccessKey', stringSchema],
            ['accessKeyId', stringSchema],
            ['expiration', timeSchema],
          ]),
        ),
      ],
    ],
  },
  ['POST', '/clusters/{clusterName}/assume-role-for-pod-identity'],
);

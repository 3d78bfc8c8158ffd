import { AwsError } from '../codec/aws-error.ts';
import { jsonProtocol } from '../codec/json-protocol.ts';
import type { Protocol } from '../codec/protocol.ts';
import { queryProtocol } from '../codec/query-protocol.ts';
import { legacyCodeOf } from './errors.ts';

const sqsJsonProtocol = jsonProtocol({ version: '1.0' });
const sqsQueryProtocol = queryProtocol({
  dialect: 'awsQuery',
  namespace: 'http://queue.amazonaws.com/doc/2012-11-05/',
});

/** JSON, with the code that clients of the query protocol compare with in a header of its own. */
export const sqsJson: Protocol = {
  ...sqsJsonProtocol,
  refuse(error, requestId) {
    const named = new AwsError(`com.amazonaws.sqs#${error.code}`, error.message, error);
    const answer = sqsJsonProtocol.refuse(named, requestId);
    const legacy = `${legacyCodeOf(error.code)};${error.fault}`;
    return { ...answer, headers: { ...answer.headers, 'x-amzn-query-error': legacy } };
  },
};

/** What SQS spoke before JSON; older clients still do. */
export const sqsQuery: Protocol = {
  ...sqsQueryProtocol,
  refuse: (error, requestId) =>
    sqsQueryProtocol.refuse(new AwsError(legacyCodeOf(error.code), error.message, error), requestId),
};

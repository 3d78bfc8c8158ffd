/** `values.yaml` of the chart: every value with its default. */
export const valuesText = `# The image of the controller, with a tag or a digest. Required.
image: ""
# Names of Secrets to pull it with.
imagePullSecrets: []

# Settings of the controller by name: METRICS_PORT is metricsPort. clusterName is required.
settings:
  clusterName: ""

# The AWS region; what the SDK finds when empty.
region: ""
# The ARN of the IAM role of the ServiceAccount (IRSA). Empty with EKS Pod Identity.
roleArn: ""

# The name of all objects.
name: karpenter
# false where something else creates the ServiceAccount.
createServiceAccount: true

# How many pods; one of them leads, the others wait.
replicas: 2
resources:
  # To request. The number of workers follows.
  cpu: "1"
  # To request, and the limit. The default is for 1,000 nodes with 24,000 pods.
  memory: 1Gi
priorityClass: system-cluster-critical
nodeSelector: {}
# Each with key, operator, value, effect.
tolerations: []

proxy:
  https: ""
  http: ""
  # Hosts, suffixes and CIDRs that are reached directly, separated by commas.
  except: ""
# A ConfigMap with authorities to trust in addition.
certificateAuthorities:
  configMap: ""
  key: ca.crt
# More variables of the controller.
environment: {}

# For the Prometheus operator.
serviceMonitor:
  create: false
  interval: 30s
  labels: {}
podMonitor:
  create: false
  interval: 30s
  labels: {}
`;

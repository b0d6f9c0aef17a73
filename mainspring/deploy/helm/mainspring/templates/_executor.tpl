{{- /* The pod of one group of executors: of a Deployment, or of jobs that end by themselves. */ -}}
{{- define "mainspring.executor" -}}
{{- $root := .root }}
{{- $group := .group }}
{{- $ends := eq (dig "scale" "by" "" $group) "keda-job" }}
{{- $seconds := include "mainspring.seconds" ($group.grace | default "30s") | int -}}
metadata:
  labels: {{- include "mainspring.labels" $root | nindent 4 }}
    app.kubernetes.io/component: executor-{{ .name }}
spec:
  {{- include "mainspring.pod" $root | nindent 2 }}
  {{- if $ends }}
  # It ends by itself after its runs or its idleness; whether another is wanted is KEDA's to say.
  restartPolicy: Never
  {{- end }}
  # The grace, and 5 s for the end of the process.
  terminationGracePeriodSeconds: {{ add 5 $seconds }}
  containers:
    - name: executor
      image: {{ $group.image | default $root.Values.image }}
      imagePullPolicy: {{ $root.Values.imagePullPolicy }}
      args:
        - executor
        - {{ $group.app | quote }}
        - --grace={{ $seconds }}s
        {{- range $group.queues }}
        - --queue={{ . }}
        {{- end }}
        {{- if $group.pools }}
        - --pool={{ $group.pools }}
        {{- end }}
        {{- if $ends }}
        - --runs={{ $group.scale.runs | default 1 }}
        - --idle={{ $group.scale.idle | default "30s" }}
        {{- end }}
      {{- include "mainspring.container" $root | nindent 6 }}
      env:
        - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
        - {name: MAINSPRING_EXECUTOR_NAME, value: $(POD_NAME)}
        - {name: MAINSPRING_EXECUTOR_NAMESPACE, value: {{ $group.namespace | default "default" }}}
        - {name: MAINSPRING_EXECUTOR_SERVERS, value: "{{ include "mainspring.scheme" $root }}://{{ $root.Release.Name }}:8484"}
        {{- if $root.Values.insecure }}
        - {name: MAINSPRING_EXECUTOR_DISCOVERY_NETWORKS, value: "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16"}
        {{- end }}
        - {name: MAINSPRING_EXECUTOR_ZONE, {{ include "mainspring.zone" $group.zone }}}
        - {name: MAINSPRING_EXECUTOR_SIGNS, value: /run/mainspring}
        {{- if $root.Values.tls.caSecret }}
        - {name: MAINSPRING_EXECUTOR_CA_FILE, value: /etc/mainspring/ca/ca.crt}
        {{- end }}
        - name: MAINSPRING_EXECUTOR_TOKEN
          valueFrom: {secretKeyRef: {name: {{ $root.Values.secrets.existingSecret }}, key: {{ $root.Values.secrets.executorToken }}}}
        {{- range $key, $value := $group.env }}
        - {name: {{ $key }}, value: {{ $value | quote }}}
        {{- end }}
      livenessProbe: {exec: {command: [mainspring, probe, --executor]}, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3}
      readinessProbe: {exec: {command: [mainspring, probe, --executor, --ready]}, periodSeconds: 10, timeoutSeconds: 5}
      {{- with $group.resources }}
      resources: {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - {name: signs, mountPath: /run/mainspring}
        - {name: tmp, mountPath: /tmp}
        {{- if $root.Values.tls.caSecret }}
        - {name: ca, mountPath: /etc/mainspring/ca, readOnly: true}
        {{- end }}
  volumes:
    - {name: signs, emptyDir: {medium: Memory, sizeLimit: 1Mi}}
    - {name: tmp, emptyDir: {}}
    {{- if $root.Values.tls.caSecret }}
    - {name: ca, secret: {secretName: {{ $root.Values.tls.caSecret }}, items: [{key: ca.crt, path: ca.crt}]}}
    {{- end }}
{{- end }}
{{- /* What KEDA reads: the number of executors that the queues want, which is never below the work under way. */ -}}
{{- define "mainspring.wanted" -}}
- type: metrics-api
  metadata:
    url: "{{ include "mainspring.scheme" .root }}://{{ .root.Release.Name }}.{{ .root.Release.Namespace }}:8484/api/v1/scaling?queues={{ join "," (.group.queues | default (list "default")) }}&slots={{ .group.scale.slots }}&within={{ include "mainspring.seconds" (.group.scale.within | default "60s") }}"
    valueLocation: wanted
    targetValue: "1"
    activationTargetValue: "0"
    authMode: bearer
  authenticationRef: {name: {{ .root.Release.Name }}-scaling}
{{- end }}

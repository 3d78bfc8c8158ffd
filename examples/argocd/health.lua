-- Health of Nodewright's kinds for Argo CD: NodeRolloutPolicy, NodeRollout, NodeGroup, ImageRule and DisruptionPause.
-- Argo CD calls this with `obj` and expects a table with `status` and `message`.

-- Rules and pauses act as they are written: no controller has to do anything first.
if obj.kind == "ImageRule" then
  return { status = "Healthy", message = obj.spec.verdict .. ": " .. obj.spec.reason }
elseif obj.kind == "DisruptionPause" then
  local ends = obj.spec["until"]
  return { status = "Healthy", message = "paused: " .. obj.spec.reason .. (ends and ", until " .. ends or "") }
end

local health = { status = "Progressing", message = "waiting for the controller" }

if obj.status == nil or obj.status.conditions == nil then
  return health
end

local seen = obj.status.observedGeneration
if seen ~= nil and obj.metadata.generation ~= nil and seen < obj.metadata.generation then
  health.message = "waiting for the controller to see the last change"
  return health
end

local conditions = {}
for _, condition in ipairs(obj.status.conditions) do
  conditions[condition.type] = condition
end

-- The message of a condition that is True, else nil.
local function holds(name)
  local condition = conditions[name]
  if condition ~= nil and condition.status == "True" then
    return condition.message or condition.reason or name
  end
  return nil
end

local halted, stalled = holds("Halted"), holds("Stalled")
local approval = holds("WaitingForApproval")
local complete, superseded = holds("Complete"), holds("Superseded")

-- One that has ended says nothing about now, also if it had halted.
if superseded ~= nil then
  return { status = "Healthy", message = "superseded: " .. superseded }
elseif halted ~= nil then
  return { status = "Degraded", message = "halted: " .. halted }
elseif stalled ~= nil then
  return { status = "Degraded", message = stalled }
elseif approval ~= nil then
  return { status = "Suspended", message = approval }
elseif complete ~= nil then
  return { status = "Healthy", message = complete }
end

-- Conditions of which False is trouble that does not pass by itself.
for _, name in ipairs({ "GroupFound", "ImageReady" }) do
  local condition = conditions[name]
  if condition ~= nil and condition.status == "False" then
    return { status = "Degraded", message = condition.message or condition.reason or name }
  end
end

local ready = conditions["Ready"]
if ready == nil then
  return health
elseif ready.status == "True" then
  return { status = "Healthy", message = ready.message or "" }
end
local isBroken = obj.status.phase == "Failed" or (obj.kind == "NodeRolloutPolicy" and ready.status == "False")
return { status = isBroken and "Degraded" or "Progressing", message = ready.message or ready.reason or "" }

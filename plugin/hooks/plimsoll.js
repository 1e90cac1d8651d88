// src/core/json.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function objectField(object, key) {
  const value = object[key];
  return isObject(value) ? value : void 0;
}
function textField(object, key) {
  const value = object[key];
  return typeof value === "string" ? value : "";
}
function listField(object, key) {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

// src/survive/record/record-opening.ts
var RECORD_OPENING = "The conversation before this point was replaced by this record.";

// src/doors/module/screen.ts
var MAX_ROWS = 1e5;
var MAX_TEXTS = 2e3;
function createScreen() {
  const seen = /* @__PURE__ */ new Set();
  const texts = /* @__PURE__ */ new Set();
  return {
    saw(e) {
      if (e.door !== "note" || !texts.has(joinTexts(e))) seen.add(textField(e, "uuid"));
    },
    answered(answer2) {
      const messages = isObject(answer2) ? listField(answer2, "messages") : [];
      const words = messages.filter(isObject).map((message) => textField(message, "text"));
      for (const text of words.filter((text2) => text2 !== "")) texts.add(text);
      for (const oldest of [...texts].slice(0, Math.max(0, texts.size - MAX_TEXTS))) texts.delete(oldest);
    },
    isRepeat(e) {
      const props = objectField(e, "props") ?? {};
      const id = textField(e, "requestId");
      if (props.isExpanded === true || id === "placeholder" || seen.has(id) || seen.size > MAX_ROWS) return false;
      const text = textField(props, "text");
      return text !== "" && texts.has(text);
    }
  };
}
function joinTexts(e) {
  const content = listField(objectField(e, "message") ?? {}, "content");
  return content.filter(isObject).map((block) => textField(block, "text")).join("\n");
}
async function drawRow($, screen2, e, next) {
  return screen2.isRepeat(e) ? $.ui.resolve(e).Box({}) : next(drawRecord(e));
}
function drawRecord(e) {
  const props = objectField(e, "props") ?? {};
  const text = textField(props, "text");
  if (props.isExpanded === true || !text.startsWith(RECORD_OPENING)) return e;
  const lines = text.split("\n").length;
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${lines} lines (ctrl+o shows it)`;
  return { ...e, props: { ...props, text: short } };
}
var hasHintLine = false;
var hint = "";
function placeStatus($, status) {
  hint = hasHintLine && status.isQuiet ? status.text ?? "" : "";
  $.ui.status(hint === "" ? status.text : void 0);
  if (hasHintLine) $.ui.invalidate("ui.render");
}
function addHint(e) {
  hasHintLine ||= e.surface === "terminal";
  const props = objectField(e, "props") ?? {};
  const tail = [textField(props, "tail"), hint].filter((text) => text !== "").join(" · ");
  return tail === "" ? e : { ...e, props: { ...props, tail } };
}

// src/doors/module/engine-link.ts
var rule = { holdsRows: true, holdsCalls: true, foldFrom: 0, isRetelling: false };
var line = { isLowered: false };
var START_MS = 1e4;
var LIMIT_MS = { "session.compact": 3e4, "session.end": 3e3 };
var OTHER_LIMIT_MS = 5e3;
var MOST_RESTARTS = 1;
var GATHER_MS = 150;
var engine;
var restarts = 0;
var isOver = false;
var waiting = [];
var gathering;
function startEngine($) {
  engine ??= new Promise((resolve) => {
    void follow($, resolve).then((problem) => {
      resolve(void 0);
      return onEnded($, problem);
    });
  });
  return engine;
}
var isLineLowered = () => line.isLowered;
function leaveEngine() {
  isOver = true;
}
async function follow($, listen) {
  let problem = "its process ended";
  let rest = "";
  try {
    const [node] = await Promise.all([findNode($), prepare($)]);
    const argv = [node, `${$.plugin.root}/engine/engine.cjs`];
    for await (const { stream, text } of $.process.spawn({ argv })) {
      if (stream !== "stdout") continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const message of lines.filter((one) => one !== "").map((one) => JSON.parse(one))) {
        if (message.problem !== void 0) problem = message.problem;
        else if (message.port === void 0) void answer($, message);
        else listen({ url: `http://127.0.0.1:${message.port}/`, token: message.token, pid: message.pid });
      }
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return problem;
}
async function prepare($) {
  const [window, percent, ...proxies] = await Promise.all([
    $.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
    $.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"),
    $.env.get("http_proxy"),
    $.env.get("HTTP_PROXY"),
    $.env.get("all_proxy"),
    $.env.get("ALL_PROXY")
  ]);
  Object.assign(line, { window, percent });
  if (!proxies.some((proxy) => proxy)) return;
  const direct = await $.env.get("no_proxy") || await $.env.get("NO_PROXY") || "";
  if (direct.split(/[\s,]+/).some((host) => host === "127.0.0.1" || host === "*")) return;
  const more = direct === "" ? "127.0.0.1" : `${direct},127.0.0.1`;
  await $.env.set("no_proxy", more);
  await $.env.set("NO_PROXY", more);
}
async function findNode($) {
  const [moved, home] = await Promise.all([$.env.get("CLAUDE_CONFIG_DIR"), $.env.get("HOME")]);
  const noted = await $.fs.read(`${moved ?? `${home}/.claude`}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}
async function onEnded($, problem) {
  if (isOver) return;
  engine = void 0;
  await setLine($, void 0);
  if (++restarts <= MOST_RESTARTS && problem === "its process ended") {
    void startEngine($);
    return;
  }
  isOver = true;
  engine = Promise.resolve(void 0);
  placeStatus($, { text: void 0, isQuiet: false });
  $.ui.log(`Plimsoll is off in this session, which goes on without it: ${problem} · plimsoll doctor says what to do`);
}
async function askEngine($, next, raised) {
  const address = await within(startEngine($), START_MS);
  if (address === void 0) return void 0;
  const events = [...gather(), raised];
  let result = raised.result;
  const carryOn2 = async (e) => {
    result = await next(e);
    return raised.event === "session.append" ? true : result;
  };
  try {
    let reply = await post($, address, { events }, raised.event);
    for (; ; ) {
      const answers = await perform($, carryOn2, reply.ops);
      if (reply.isDone) break;
      reply = await post($, address, { of: reply.of, answers }, raised.event);
    }
    Object.assign(rule, reply.rule);
    return { value: reply.isSame ? result : reply.value };
  } catch (error) {
    void $.process.run(["kill", "-9", String(address.pid)]).catch(() => void 0);
    if (result !== void 0) return { value: result };
    throw error;
  }
}
function tellEngine($, next, raised) {
  waiting.push(raised);
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last !== void 0) void askEngine($, next, last).catch(() => void 0);
  }, GATHER_MS);
}
function gather() {
  const gathered = waiting;
  waiting = [];
  clearTimeout(gathering);
  gathering = void 0;
  return gathered;
}
async function post($, { url, token }, body, event) {
  const init = { method: "POST", headers: { authorization: token }, body: JSON.stringify(body) };
  const answered = await within($.http.fetch(url, init), LIMIT_MS[event] ?? OTHER_LIMIT_MS);
  if (answered?.status !== 200) throw new Error(answered === void 0 ? "the engine hangs" : answered.text);
  return JSON.parse(answered.text);
}
async function answer($, { of, ops }) {
  const answers = await perform($, async () => void 0, ops);
  const address = await engine;
  if (of !== void 0 && address !== void 0) await post($, address, { of, answers }, "");
}
function perform($, next, ops) {
  return Promise.all(
    ops.map(async (op) => {
      try {
        return { value: await performOne($, next, op) };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    })
  );
}
function performOne($, next, op) {
  switch (op.name) {
    case "next":
      return next(op.given);
    case "id":
      return $.session.id();
    case "root":
      return $.session.root();
    case "model":
      return $.session.model();
    case "version":
      return $.session.version();
    case "usage":
      return $.session.usage();
    case "messages":
      return $.session.messages(op.given);
    case "append":
      return $.session.append(op.given);
    case "fork":
      return $.model.fork(op.given);
    case "ask":
      return $.ui.ask(op.text, op.given);
    case "log":
      return $.ui.log(op.text);
    case "status":
      return placeStatus($, op.status);
    case "line":
      return setLine($, op.line);
    default:
      throw new Error(`the engine asks for ${op.name}, which this module does not know`);
  }
}
async function setLine($, given) {
  if (given === void 0 && !line.isLowered) return;
  line.isLowered = given !== void 0;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", given === void 0 ? line.window : given.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", given === void 0 ? line.percent : given.percent);
}
async function within(work, limitMs) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(void 0), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// src/survive/recall/recall-request.ts
var RECALL_DESCRIPTION = "Fetches text removed from the conversation; best with pattern.";
var RECALL_PARAMETERS = {
  type: "object",
  properties: {
    handle: { type: "string", description: "plimsoll:…#line or call:…; several by spaces" },
    page: { type: "integer", description: "of many" },
    lines: { type: "array", items: { type: "integer" }, description: "[from, to]" },
    pattern: { type: "string", description: "a|b" }
  },
  required: ["handle"]
};

// src/doors/module/names.ts
var RECALL_TOOL = "mcp__plimsoll__recall";
var RECALL_SPEC = {
  name: "recall",
  description: RECALL_DESCRIPTION,
  inputSchema: RECALL_PARAMETERS,
  // Listed from the first request on; otherwise the model finds it by search.
  isDeferred: false
};
var SLASH_COMMANDS = [
  {
    name: "plimsoll",
    description: "Show how full the context window is, what work is open, and what was compacted and why",
    argumentHint: "[status | health | why | open | keep TEXT | lift N | off | on | help]"
  },
  {
    name: "caveman",
    description: "Answer tersely with full technical accuracy, until /caveman off",
    argumentHint: "[off]"
  }
];

// src/doors/module/register.ts
function register(on) {
  on("classic.SessionStart", onStart).catch(carryOn);
  on("classic.PostToolBatch", onBatch).catch(carryOn);
  on("session.start", onSessionStart).catch(carryOn);
  on("session.append", onRow).catch(carryOn);
  on("session.compact", onCompaction).catch(carryOn);
  on("session.measure", onEvent).catch(carryOn);
  on("session.end", onEnd).catch(carryOn);
  on("tool.check", { tool: "mcp__plimsoll__recall" }, onCheck).catch(carryOn);
  on("tool.call", onCall).catch(carryOn);
  on("command.run", { command: ["plimsoll", "caveman"] }, onEvent).catch(carryOn);
  on("ui.render", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    carryOn
  );
}
var screen = createScreen();
var isOff = false;
async function carryOn(_, e, next) {
  return next(e);
}
async function onStart($, e, next) {
  isOff = !!await $.env.get("PLIMSOLL_OFF");
  if (!isOff) void startEngine($);
  await $.env.set("PLIMSOLL_MODULE", "1");
  return next(e);
}
var HELLO_MS = 700;
async function onSessionStart($, e, next) {
  if (isOff) return next(e);
  const late = new Promise((resolve) => setTimeout(() => resolve(null), HELLO_MS));
  if (await Promise.race([startEngine($), late]) === void 0) return next(e);
  const [first, ...others] = SLASH_COMMANDS;
  await Promise.all([$.tool.register(RECALL_SPEC), $.command.register(first)]);
  for (const command of others) await $.command.register(command).catch(() => void 0);
  return onEvent($, e, next);
}
async function onEvent($, e, next) {
  if (isOff) return next(e);
  const answered = await askEngine($, next, { event: next.event ?? "", e });
  return answered === void 0 ? next(e) : answered.value;
}
async function onRow($, e, next) {
  const result = await passRow($, e, next);
  if (!rule.isRetelling) screen.saw(e);
  return result;
}
async function passRow($, e, next) {
  const isResult = e.door === "tool-result";
  const text = isResult ? JSON.stringify(e.message) : "";
  const mayFold = isResult && (text.length >= rule.foldFrom || text.includes("<persisted-output>"));
  if (isOff || rule.holdsRows || e.door === "prompt" || mayFold) return onEvent($, e, next);
  const result = await next(e);
  const raised = { event: "session.append", e, isPassed: true, result };
  if (isResult) await askEngine($, next, raised);
  else tellEngine($, next, raised);
  return result;
}
async function onBatch($, e, next) {
  if (!isOff)
    tellEngine($, next, { event: "classic.PostToolBatch", e: { agent_id: e.agent_id ?? "" }, isPassed: true });
  return next(e);
}
async function onCall($, e, next) {
  if (isOff || rule.holdsCalls || e.tool === RECALL_TOOL) return onEvent($, e, next);
  const result = await next(e);
  await askEngine($, next, { event: "tool.call", e, isPassed: true, result });
  return result;
}
async function onCheck() {
  return { decision: "allow" };
}
async function onCompaction($, e, next) {
  const isOurs = isLineLowered() && e.trigger === "auto";
  const answered = isOff ? void 0 : await askEngine($, next, { event: "session.compact", e }).catch(() => void 0);
  if (answered === void 0) return isOurs ? { skip: "Plimsoll's engine does not answer" } : next(e);
  screen.answered(answered.value);
  return answered.value;
}
async function onEnd($, e, next) {
  if (e.reason !== "clear" && e.reason !== "resume") leaveEngine();
  return onEvent($, e, next);
}
async function onDrawn($, e, next) {
  return e.component === "PromptHint" ? next(addHint(e)) : drawRow($, screen, e, next);
}
export {
  register
};

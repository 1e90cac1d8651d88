// src/survive/recall/recall-request.ts
var RECALL_DESCRIPTION = "Fetches text removed from the conversation; best with pattern.";
var RECALL_PARAMETERS = {
  type: "object",
  properties: {
    handle: { type: "string", description: "plimsoll:…#line, call:…; several by spaces" },
    page: { type: "integer", description: "of many" },
    lines: { type: "array", items: { type: "integer" }, description: "[from, to] or each" },
    pattern: { type: "string", description: "words or regex, best first" }
  },
  required: ["handle"]
};

// src/doors/module/names.ts
var ENGINE_FORMAT = 1;
var RECALL_TOOL = "mcp__plimsoll__recall";
var RECALL_SPEC = {
  name: "recall",
  description: RECALL_DESCRIPTION,
  inputSchema: RECALL_PARAMETERS,
  // Listed from the first request on; otherwise the model finds it by search.
  isDeferred: false
};
var DONE_HANDLE = "done";
var RECALL_OR_DONE_SPEC = {
  ...RECALL_SPEC,
  description: `${RECALL_DESCRIPTION} Handle "${DONE_HANDLE}" after each finished task: compacts if that pays.`
};

// src/core/json.ts
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
      if (e.door !== "note" || !texts.has(joinTexts(e))) seen.add(e.uuid);
    },
    answered(answer) {
      for (const text of textsOf(answer, "messages")) texts.add(text);
      for (const oldest of [...texts].slice(0, Math.max(0, texts.size - MAX_TEXTS))) texts.delete(oldest);
    },
    isRepeat(e) {
      const { text, isExpanded } = propsOf(e);
      if (e.requestId === "placeholder" || seen.has(e.requestId) || seen.size > MAX_ROWS) return false;
      return isExpanded !== true && texts.has(text);
    }
  };
}
var propsOf = (e) => isObject(e.props) ? e.props : {};
function textsOf(holder, field) {
  const list = isObject(holder) ? holder[field] : void 0;
  const texts = Array.isArray(list) ? list.map((one) => one?.text) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}
var joinTexts = (e) => textsOf(e.message, "content").join("\n");
async function drawRow($, screen2, e, next) {
  return screen2.isRepeat(e) ? $.ui.resolve(e).Box({}) : next(drawRecord(e));
}
function drawRecord(e) {
  const props = propsOf(e);
  const { text, isExpanded } = props;
  if (isExpanded === true || typeof text !== "string" || !text.startsWith(RECORD_OPENING)) return e;
  const lines = text.split("\n").length;
  const short = `⊖ Plimsoll replaced earlier messages with a record of ${lines} lines (ctrl+o shows it)`;
  return { ...e, props: { ...props, text: short } };
}
var hasHintLine = false;
var hint = "";
function placeStatus($, status) {
  const isHint = hasHintLine && status.hint !== void 0;
  hint = isHint ? status.hint ?? "" : "";
  $.ui.status(isHint ? void 0 : status.text);
  if (hasHintLine) $.ui.invalidate("ui.render");
}
function addHint(e) {
  hasHintLine ||= e.surface === "terminal";
  const props = propsOf(e);
  return hint === "" ? e : { ...e, props: { ...props, tail: props.tail ? `${props.tail} · ${hint}` : hint } };
}

// src/doors/module/perform-ops.ts
function performAll($, next, ops) {
  return Promise.all(
    ops.map(async (op) => {
      try {
        return { value: await perform($, next, op) };
      } catch (error) {
        return { error: String(error) };
      }
    })
  );
}
function perform($, next, op) {
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
      throw new Error(`this module does not know ${op.name}`);
  }
}
var own;
var isLineLowered = () => own !== void 0;
async function setLine($, given) {
  if (given === void 0 && own === void 0) return;
  const window = await $.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW");
  const percent = await $.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE");
  own ??= { window, percent };
  const values = given ?? own;
  if (given === void 0) own = void 0;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", values.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", values.percent);
}

// src/doors/module/rule.ts
var rule = {
  holdsRows: true,
  holdsCalls: true,
  foldFrom: 0,
  isRetelling: false,
  opening: null,
  saved: 0,
  deferred: []
};

// src/doors/module/wait.ts
function whenStopped(signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve(void 0);
    else signal?.addEventListener("abort", () => resolve(void 0));
  });
}
async function settleWithin(work, limitS) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(void 0), limitS * 1e3);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// src/doors/module/engine-link.ts
var LIMIT_S = { start: 10, "session.end": 3 };
var OTHER_LIMIT_S = 15;
var GATHER_MS = 150;
var MOST_UNSAVED = 500;
var UNREADABLE = "its engine said what cannot be read";
var LEFT = "it was told to end";
var starting;
var running;
var crashes = 0;
var isOff = false;
var isLeaving = false;
var waiting = [];
var gathering;
var unsaved = [];
function startEngine($) {
  starting ??= settleWithin(start($), LIMIT_S.start).then(async (engine) => {
    if (engine === void 0) await giveUp($, "its engine did not start");
    return engine;
  });
  return starting;
}
function start($) {
  return new Promise((resolve) => {
    void follow($, resolve).then(async (problem) => resolve(await onEnded($, problem)));
  });
}
function leaveEngine() {
  isLeaving = true;
}
async function follow($, listen) {
  const [node] = await Promise.all([findNode($), avoidProxy($)]);
  let problem = `it needs Node 20 or later, and "${node}" could not be started`;
  let engine;
  let hasLeft = false;
  let leave = () => void 0;
  const gone = new Promise((resolve) => {
    leave = () => resolve(void 0);
  });
  let rest = "";
  try {
    for await (const { stream, text } of $.process.spawn({ argv: [node, `${$.plugin.root}/engine/engine.cjs`] })) {
      problem = void 0;
      if (isOff) break;
      if (stream !== "stdout") continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const message of lines.map((line) => JSON.parse(line))) {
        if (message.problem !== void 0) return message.problem;
        if (message.isLeaving) {
          hasLeft = true;
          if (engine !== void 0) engine.isGone = true;
          continue;
        }
        if (message.ops !== void 0) void answerAside($, message);
        else if (message.format !== ENGINE_FORMAT) return "it was updated during this session, so start a new one";
        else {
          const found = { ...message, gone, isGone: false, sent: 0 };
          engine = found;
          running = found;
          listen(found);
        }
      }
    }
  } catch {
    problem ??= UNREADABLE;
  } finally {
    if (engine !== void 0) engine.isGone = true;
    leave();
  }
  return hasLeft ? LEFT : problem;
}
async function avoidProxy($) {
  const [given, ...proxies] = await Promise.all([
    $.env.get("no_proxy").then(async (small) => small || await $.env.get("NO_PROXY") || ""),
    $.env.get("http_proxy"),
    $.env.get("HTTP_PROXY"),
    $.env.get("all_proxy"),
    $.env.get("ALL_PROXY")
  ]);
  const hosts = given.split(/[\s,]+/).filter((host) => host !== "");
  if (!proxies.some((proxy) => proxy) || hosts.includes("*")) return;
  const direct = [.../* @__PURE__ */ new Set([...hosts, "127.0.0.1"])].join(",");
  await $.env.set("no_proxy", direct);
  await $.env.set("NO_PROXY", direct);
}
async function findNode($) {
  const [moved, home] = await Promise.all([$.env.get("CLAUDE_CONFIG_DIR"), $.env.get("HOME")]);
  const noted = await $.fs.read(`${moved ?? `${home}/.claude`}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}
async function onEnded($, problem) {
  if (isOff || isLeaving) return void 0;
  if ((problem === void 0 || problem === LEFT) && ++crashes === 1) {
    await setLine($, void 0);
    starting = void 0;
    return problem === LEFT ? void 0 : startEngine($);
  }
  await giveUp($, problem ?? "its engine crashed twice");
  return void 0;
}
async function giveUp($, problem) {
  if (isOff) return;
  isOff = true;
  starting = Promise.resolve(void 0);
  waiting = [];
  unsaved = [];
  if (running?.isGone === false) void $.process.run(["kill", "-9", String(running.pid)]).catch(() => void 0);
  if (running !== void 0) running.isGone = true;
  if (isLeaving) return;
  await setLine($, void 0);
  placeStatus($, { text: void 0 });
  $.ui.log(`Plimsoll is off in this session, and Claude Code goes on without it: ${problem}. Run: plimsoll doctor`);
}
var stopped = [];
async function askEngine($, next, raised) {
  if (starting === void 0 && raised.event === "session.end") return void 0;
  const engine = await startEngine($);
  if (engine === void 0 || engine.isGone) return void 0;
  const events = gather(engine, raised);
  const { sent } = engine;
  let kept = raised.e;
  let below = raised.isPassed ? Promise.resolve(raised.result) : void 0;
  const carryOn2 = async (e) => {
    kept = e;
    below = next(e);
    const result = await below;
    return raised.event === "session.append" ? true : result;
  };
  const settle = async () => below && { value: await below };
  const at = sent - events.length;
  const { signal } = next;
  try {
    for (let body = { at, events }; ; ) {
      const told = stopped;
      stopped = [];
      const reply = await post($, engine, { ...body, stopped: told }, { event: raised.event, signal });
      const answers = reply && await Promise.race([performAll($, carryOn2, reply.ops), whenStopped(signal)]);
      if (signal.aborted && !reply?.isDone) stopped = [...stopped, ...told, { at, upTo: sent }];
      if (reply === void 0 || answers === void 0) return await settle();
      if (reply.isDone) {
        Object.assign(rule, reply.rule);
        unsaved = unsaved.filter((row) => row.at > rule.saved);
        return reply.isSame ? await settle() : { value: reply.value };
      }
      body = { of: reply.of, answers };
    }
  } finally {
    if (below !== void 0) keep(sent, { ...raised, e: kept, isPassed: true });
  }
}
function tellEngine($, next, raised) {
  if (isOff) return;
  waiting.push(raised);
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last !== void 0) void askEngine($, next, last).catch(() => void 0);
  }, GATHER_MS);
}
function gather(engine, raised) {
  const isRestarted = crashes > 0 && engine.sent === 0;
  const told = waiting;
  waiting = [];
  clearTimeout(gathering);
  gathering = void 0;
  const again = isRestarted && rule.saved > 0 ? unsaved.map(({ raised: row }) => ({ ...row, isAgain: true })) : [];
  const restart = { event: "engine.restart", e: { opening: rule.opening } };
  const events = [...isRestarted ? [restart] : [], ...again, ...told, raised];
  engine.sent += events.length;
  if (isRestarted) {
    rule.saved = 0;
    unsaved = [];
    for (const one of again) keep(engine.sent, one);
  }
  for (const one of told) keep(engine.sent, one);
  return events;
}
function keep(at, raised) {
  if (raised.event === "session.end") unsaved = [];
  else if (raised.event === "session.append" && at > rule.saved && !isOff)
    unsaved = [...unsaved, { at, raised }].slice(-MOST_UNSAVED);
}
async function post($, engine, body, { event, signal }) {
  if (engine.isGone) return void 0;
  const init = { method: "POST", headers: { authorization: engine.token }, body: JSON.stringify(body) };
  const answering = $.http.fetch(`http://127.0.0.1:${engine.port}/`, init).catch(() => engine.gone);
  const limitS = LIMIT_S[event] ?? OTHER_LIMIT_S;
  const answered = await settleWithin(Promise.race([answering, engine.gone, whenStopped(signal)]), limitS);
  if (answered === void 0) {
    if (!engine.isGone && !signal?.aborted) await giveUp($, `its engine did not answer for ${limitS} seconds`);
    return void 0;
  }
  try {
    if (answered.status === 200) return JSON.parse(answered.text);
  } catch {
  }
  await giveUp($, UNREADABLE);
  return void 0;
}
async function answerAside($, { of, ops }) {
  const answers = await performAll($, async () => void 0, ops);
  if (of !== void 0 && running !== void 0) await post($, running, { of, answers }, { event: "" });
}

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
  on("tool.describe", onDescribed).catch(carryOn);
  on("tool.call", onCall).catch(carryOn);
  on("command.run", { command: ["plimsoll", "caveman"] }, onEvent).catch(carryOn);
  on("ui.render", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    carryOn
  );
}
var screen = createScreen();
var isOff2 = false;
async function carryOn(_, e, next) {
  return next(e);
}
async function onStart($, e, next) {
  isOff2 = !!await $.env.get("PLIMSOLL_OFF");
  if (!isOff2) void startEngine($);
  await $.env.set("PLIMSOLL_MODULE", "1");
  return e.source === "compact" ? onEvent($, e, next) : next(e);
}
async function onSessionStart($, e, next) {
  const engine = isOff2 ? void 0 : await startEngine($);
  if (engine === void 0) return next(e);
  for (const command of engine.commands) void $.command.register(command).catch(() => void 0);
  const [answered] = await Promise.all([onEvent($, e, next), $.tool.register(engine.tool)]);
  return answered;
}
async function onEvent($, e, next) {
  if (isOff2) return next(e);
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
  if (isOff2 || rule.holdsRows || e.door === "prompt" || mayFold) return onEvent($, e, next);
  const result = await next(e);
  const raised = { event: "session.append", e, isPassed: true, result };
  if (isResult) await askEngine($, next, raised);
  else tellEngine($, next, raised);
  return result;
}
async function onBatch($, e, next) {
  if (!isOff2)
    tellEngine($, next, { event: "classic.PostToolBatch", e: { agent_id: e.agent_id ?? "" }, isPassed: true });
  return next(e);
}
async function onCall($, e, next) {
  if (isOff2 || rule.holdsCalls || e.tool === RECALL_TOOL) return onEvent($, e, next);
  const result = await next(e);
  await askEngine($, next, { event: "tool.call", e, isPassed: true, result });
  return result;
}
async function onDescribed(_, e, next) {
  const described = await next(e);
  return rule.deferred.includes(String(e.tool)) ? { isDeferred: true, ...Object(described) } : described;
}
async function onCheck() {
  return { decision: "allow" };
}
async function onCompaction($, e, next) {
  const isOurs = isLineLowered() && e.trigger === "auto";
  const answered = isOff2 ? void 0 : await askEngine($, next, { event: "session.compact", e });
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

package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"ayumu/engine/enginetest"
	"ayumu/lobby/clock"
	"ayumu/lobby/club"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/requiretest"
	"ayumu/lobby/table"
)

// browser is a tab of a real browser.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	reports []string // what the browser has reported: violations of the content policy, and exceptions of scripts
}

// openBrowser starts the browser, for all parts of the test.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := requiretest.Program(t, "chromium")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 800), chromedp.UserDataDir(t.TempDir()))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancelTab := chromedp.NewContext(allocator)
	t.Cleanup(cancelTab)
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil { // a timeout of the first action would be one of the browser
		t.Fatal(err)
	}
	err := chromedp.Listen(ctx, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *cdplog.EventEntryAdded:
			if e.Entry.Source == cdplog.EntrySourceSecurity || strings.Contains(e.Entry.Text, "Content Security Policy") {
				b.reports = append(b.reports, e.Entry.Text)
			}
		case *cdpruntime.EventExceptionThrown:
			b.reports = append(b.reports, fmt.Sprint(e.ExceptionDetails.Text, " ", e.ExceptionDetails.Exception))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	call(b, cdplog.Enable, cdp.Empty{})
	call(b, cdpruntime.Enable, cdp.Empty{})
	return b
}

// takeReports returns what the browser has reported since the last call.
func (b *browser) takeReports() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.reports
	b.reports = nil
	return all
}

// do runs actions, each within 20 s.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	for _, a := range actions {
		run(b, a)
	}
}

// run runs an action within 20 s, again if the page was replaced meanwhile, and returns its value.
func run[T any](b *browser, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	for {
		value, err := chromedp.Run(ctx, a)
		if err == nil {
			return value
		}
		if ctx.Err() != nil || !hasMoved(err) {
			b.t.Fatal(err)
		}
	}
}

// hasMoved reports whether an action found a node or a script's context of a page that the next one has replaced meanwhile,
// so that it has done nothing.
func hasMoved(err error) bool {
	text := err.Error()
	return strings.Contains(text, "No node with given id") || strings.Contains(text, "Could not find node") ||
		strings.Contains(text, "Cannot find context") || strings.Contains(text, "context was destroyed") || strings.Contains(text, "navigated or closed")
}

// call sends a command of the protocol.
func call[P, R any](b *browser, c cdp.Command[P, R], params P) R {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	r, err := chromedp.Call(ctx, c, params)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// eval evaluates an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression))
}

// sees waits until the page has a text.
func (b *browser) sees(text string) {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !eval[bool](b, fmt.Sprintf("!!document.body && document.body.innerText.includes(%q)", text)) {
		if time.Now().After(deadline) {
			b.t.Fatalf("the page does not show %q: %.600s", text, eval[string](b, "document.body.innerText"))
		}
		b.do(chromedp.Sleep(20 * time.Millisecond))
	}
}

// ready waits until the page and its script are loaded.
func (b *browser) ready() {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for eval[string](b, "document.readyState") != "complete" && time.Now().Before(deadline) {
		b.do(chromedp.Sleep(20 * time.Millisecond))
	}
}

func (b *browser) open(h *harness, path string) {
	b.t.Helper()
	b.do(chromedp.Navigate("http://" + h.addr + path))
}

func setScheme(b *browser, scheme string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// TestBrowser opens the pages in a real browser: live boards, a page that slept, a server that restarts, no JavaScript, the
// keyboard alone, frames, the accessibility tree, contrast, and the content policy.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("most of it is the browser's work")
	}
	b := openBrowser(t)
	c, err := puzzles.New(enginetest.Games, puzzlestest.Themes, puzzlestest.Puzzles(t)[:1])
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, func(config *Config) { config.Puzzles = func() *puzzles.Collection { return c } })
	id := h.start(table.Proposal{Game: "ayu", Options: []byte(`{"size":9,"pie":false}`), Clock: &clock.Control{Initial: 600 * time.Second}})
	ended := h.start(table.Proposal{})
	h.play(ended, 4)
	h.resign(h.ana, ended)
	mu, players := h.startMu()
	h.playAs(mu, 25, players...)
	cup := swiss(t, "Autumn Swiss", h.ana, h.bob)
	h.resign(h.bob, startTournament(t, h, cup))
	next := swiss(t, "Winter Swiss", h.ana, h.bob)
	part := func(name string, f func(b *browser)) {
		t.Run(name, func(t *testing.T) {
			old := b.t
			b.t = t
			defer func() { b.t = old }()
			f(b)
			if reports := b.takeReports(); len(reports) > 0 {
				t.Errorf("the browser has reported %q", reports)
			}
		})
	}

	part("live", func(b *browser) {
		b.open(h, "/m/"+id)
		b.sees("Turn 0 of 0")
		waitForStreams(b.t, h, 1)
		for turn := 1; turn <= 3; turn++ {
			began := time.Now()
			h.play(id, 1)
			b.sees(fmt.Sprintf("Turn %d of %d", turn, turn))
			if d := time.Since(began); d > 10*time.Second {
				b.t.Errorf("a turn showed after %v", d)
			}
		}
		if before := eval[string](b, "document.querySelector('.clock[data-running]').textContent"); before == "" {
			b.t.Error("no clock runs")
		}
	})
	part("a page that slept", func(b *browser) {
		call(b, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: "frozen"})
		h.play(id, 4)
		call(b, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: "active"})
		b.sees("Turn 7 of 7")
	})
	part("a restart of the server", func(b *browser) {
		addr := h.addr
		if err := h.s.Shutdown(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
		h.play(id, 1)
		h.serve(addr, func(config *Config) { config.Puzzles = func() *puzzles.Collection { return c } })
		b.sees("Turn 8 of 8")
		waitForStreams(b.t, h, 1)
		h.play(id, 1)
		b.sees("Turn 9 of 9")
	})
	part("the keyboard alone", func(b *browser) {
		for _, step := range []struct{ key, want string }{{kb.ArrowLeft, "Turn 8 of 9"}, {kb.ArrowLeft, "Turn 7 of 9"}, {kb.ArrowRight, "Turn 8 of 9"}, {kb.Home, "Turn 0 of 9"}, {kb.End, "Turn 9 of 9"}} {
			b.ready()
			b.do(chromedp.KeyEvent(step.key))
			b.sees(step.want)
		}
		b.open(h, "/")
		b.do(chromedp.KeyEvent(kb.Tab))
		if text := eval[string](b, "document.activeElement.textContent"); text != "Skip to the content" {
			b.t.Errorf("the first stop is %q", text)
		}
		for range 30 {
			b.do(chromedp.KeyEvent(kb.Tab))
			if strings.HasPrefix(eval[string](b, "document.activeElement.getAttribute('href') || ''"), "/m/") {
				break
			}
		}
		if outline := eval[string](b, "getComputedStyle(document.activeElement).outlineStyle"); outline != "solid" {
			b.t.Errorf("the focus has the outline %q", outline)
		}
		b.do(chromedp.KeyEvent(kb.Enter))
		b.sees("Turns")
	})
	part("without JavaScript", func(b *browser) {
		call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		defer call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{})
		b.open(h, "/m/"+id+"?turn=5")
		text := run(b, chromedp.Text(chromedp.CSS("body")))
		b.do(chromedp.Click(chromedp.CSS(`a[rel=prev]`)), chromedp.WaitVisible(chromedp.CSS(`a[rel=prev][href$="turn=3"]`)), chromedp.WaitVisible(chromedp.CSS(".board svg")))
		if !strings.Contains(text, "Turn 5 of 9") || !strings.Contains(text, "ana") {
			b.t.Errorf("the page without a script: %s", text)
		}
	})
	pages := []string{"/", "/m/" + id, "/m/" + ended, "/m/" + id + "?turn=2", "/u/ana", "/nothing", "/embed/m/" + id, "/m/" + mu, "/puzzle/ayu", "/puzzle/ayu?answer=b1-f6", "/t/" + cup, "/t/" + next}
	part("names and roles", func(b *browser) {
		for _, path := range pages {
			b.open(h, path)
			b.do(chromedp.WaitReady(chromedp.CSS("body")))
			checkTree(b, path)
		}
	})
	part("contrast", func(b *browser) {
		for _, scheme := range []string{"light", "dark"} {
			setScheme(b, scheme)
			for _, path := range pages {
				b.open(h, path)
				b.do(chromedp.WaitReady(chromedp.CSS("body")))
				for _, low := range eval[[]string](b, contrastScript) {
					b.t.Errorf("%s, %s: %s", path, scheme, low)
				}
				if wide := eval[bool](b, "document.documentElement.scrollWidth > document.documentElement.clientWidth"); wide {
					b.t.Errorf("%s, %s: the page is wider than the window", path, scheme)
				}
			}
		}
	})
	part("on a phone", func(b *browser) {
		b.do(chromedp.EmulateViewport(390, 844))
		defer func() { b.do(chromedp.EmulateViewport(1280, 800)) }()
		for _, path := range pages {
			b.open(h, path)
			b.do(chromedp.WaitReady(chromedp.CSS("body")))
			if w := eval[int](b, "document.documentElement.scrollWidth"); w > 390 {
				b.t.Errorf("%s is %d pixels wide", path, w)
			}
		}
	})
	t.Run("frames", func(t *testing.T) {
		b.t = t
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `<iframe src="http://%s%s"></iframe>`, h.addr, r.URL.Query().Get("path"))
		}))
		defer other.Close()
		_, port, _ := net.SplitHostPort(strings.TrimPrefix(other.URL, "http://"))
		for path, framed := range map[string]bool{"/embed/m/" + id: true, "/m/" + id: false, "/": false} {
			b.do(chromedp.Navigate("http://localhost:" + port + "/?path=" + path))
			b.do(chromedp.WaitReady(chromedp.CSS("iframe")))
			refused := false
			for range 40 {
				refused = refused || slices.ContainsFunc(b.takeReports(), func(s string) bool { return strings.Contains(s, "frame") })
				if refused || framed && h.s.Stats().Requests["embed"] > 0 {
					break
				}
				b.do(chromedp.Sleep(50 * time.Millisecond))
			}
			if refused == framed {
				t.Errorf("%s: framed %v, refused %v", path, framed, refused)
			}
		}
	})
	if folder := os.Getenv("AYUMU_TEST_SHOTS"); folder != "" {
		takeShots(b, folder, append(addresses(h, pages...), otherPages(t, h, id)...))
	}
}

// waitForStreams waits until the server has open streams.
func waitForStreams(t *testing.T, h *harness, n int) {
	t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for h.s.Stats().Streams < n {
		if time.Now().After(deadline) {
			t.Fatalf("%d streams", h.s.Stats().Streams)
		}
		runtime.Gosched()
	}
}

// checkTree checks the accessibility tree of a page: what can be used has a name, there is one main heading, and the board says
// what it shows.
func checkTree(b *browser, path string) {
	b.t.Helper()
	nodes := call(b, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	value := func(v *accessibility.Value) string {
		if v == nil {
			return ""
		}
		return strings.Trim(string(v.Value), `"`)
	}
	roles := make(map[string]int)
	for _, n := range nodes {
		role := value(n.Role)
		if n.Ignored {
			continue
		}
		roles[role]++
		switch role {
		case "link", "button", "textbox", "heading", "image", "img", "list item button", "RootWebArea", "DisclosureTriangle", "navigation":
			if name := value(n.Name); strings.TrimSpace(name) == "" {
				b.t.Errorf("%s: a %s without a name", path, role)
			} else if strings.ContainsAny(name, "«»‹›") {
				b.t.Errorf("%s: the %s %q is named by a sign", path, role, name)
			}
		}
	}
	if roles["main"] != 1 {
		b.t.Errorf("%s: %d main regions", path, roles["main"])
	}
	if n := eval[int](b, "document.querySelectorAll('h1').length"); n != 1 {
		b.t.Errorf("%s: %d main headings", path, n)
	}
	if strings.Contains(path, "/m/") && roles["image"]+roles["img"] == 0 {
		b.t.Errorf("%s: the board is no image: %v", path, roles)
	}
	if strings.Contains(path, "/m/") && roles["status"] != 1 {
		b.t.Errorf("%s: %d regions with the status", path, roles["status"])
	}
}

// contrastScript returns the texts whose contrast with their background is below 4.5 to 1, or 3 to 1 for large ones (WCAG 2).
const contrastScript = `(() => {
	const parse = s => { const m = s.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
	const luminance = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] > 0.99) return c; } return [255, 255, 255, 1]; };
	const low = [];
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("svg") || e.closest("[aria-hidden=true]") || e.matches(".skip")) continue;
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
		const s = getComputedStyle(e), a = luminance(parse(s.color)), b = luminance(ground(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), size = parseFloat(s.fontSize);
		if (ratio < (size >= 24 || size >= 18.66 && s.fontWeight >= 700 ? 3 : 4.5)) low.push(e.tagName + "." + e.className + " " + JSON.stringify(e.textContent.trim().slice(0, 30)) + " has a contrast of " + ratio.toFixed(2));
	}
	return low;
})()`

// addresses returns the addresses of paths of a server.
func addresses(h *harness, paths ...string) (all []string) {
	for _, path := range paths {
		all = append(all, "http://"+h.addr+path)
	}
	return all
}

// otherPages returns the addresses of what a server shows otherwise: a tournament that is played, a solved puzzle, errors, a server
// without games, a closed club, a ban, and a server that has ended.
func otherPages(t *testing.T, h *harness, match string) []string {
	t.Helper()
	cup := swiss(t, "Spring Swiss", h.ana, h.bob)
	startTournament(t, h, cup)
	all := addresses(h, "/t/"+cup, "/puzzle/ayu?answer=b1-f6+c1-g6", "/m/"+match+"?turn=99")
	empty := open(t, nil)
	all = append(all, addresses(empty, "/", "/u/ana")...)
	a := withClub(empty, club.Policy{AllowGuests: true})
	empty.serve("127.0.0.1:0", func(c *Config) { c.Authorizer = a })
	all = append(all, addresses(empty, "/", "/m/"+match)...)
	a = withClub(empty, club.PublicPolicy())
	if _, _, err := a.Club.Moderator(club.Actor{Role: club.RoleServerOwner, Name: "owner"}).Ban(t.Context(), club.Target{Prefix: prefix("127.0.0.0/8")}, time.Hour, "too loud"); err != nil {
		t.Fatal(err)
	}
	empty.serve("127.0.0.1:0", func(c *Config) { c.Authorizer = a })
	all = append(all, addresses(empty, "/")...)
	ended := open(t, nil)
	ended.l.Close()
	return append(all, addresses(ended, "/m/"+match)...)
}

// takeShots writes pictures of pages, to be looked at.
func takeShots(b *browser, folder string, pages []string) {
	for _, scheme := range []string{"light", "dark"} {
		setScheme(b, scheme)
		for _, size := range [][2]int64{{390, 844}, {1280, 800}, {2560, 1440}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			for i, page := range pages {
				b.do(chromedp.Navigate(page))
				b.ready()
				shot := run(b, chromedp.CaptureScreenshot())
				if err := os.WriteFile(fmt.Sprintf("%s/%d-%dx%d-%s.png", folder, i, size[0], size[1], scheme), shot, 0o600); err != nil {
					b.t.Error(err)
				}
			}
		}
	}
}

package admin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
)

// InvitationText describes an invitation, with the command that uses it. target is what users type after
// ssh.
func InvitationText(i club.Invitation, target string) string {
	return fmt.Sprintf("For %s, %s:\n\n  ssh -t -l %s %s\n", lobby.Plural(i.Uses, "new key"), club.UntilText(i.Until), i.Code, target)
}

// SanctionText describes a sanction in one line: "mute: carol permanently".
func SanctionText(s club.Sanction) string {
	return fmt.Sprintf("%s: %s %s", s.Kind, s.SubjectName, club.UntilText(s.Until))
}

// EndedText returns how many sessions were ended.
func EndedText(sessions int) string { return lobby.Plural(sessions, "session") + " ended" }

// AuditText has the audit log, one entry a line.
func AuditText(all []club.AuditEntry) string {
	var out strings.Builder
	for _, e := range all {
		fmt.Fprintf(&out, "%s  %s %s\n", e.At.UTC().Format(time.DateTime), e.Actor, e.Action)
	}
	return out.String()
}

func printAuditLog(ctx context.Context, e Env, _ []string) error {
	all, err := e.Moderator.AuditLog(ctx)
	if err != nil {
		return err
	}
	if e.JSON {
		type row struct {
			At     string `json:"at"`
			Actor  string `json:"actor"`
			Action string `json:"action"`
		}
		list := []row{}
		for _, entry := range all {
			list = append(list, row{jsonTime(entry.At), entry.Actor, entry.Action})
		}
		return json.NewEncoder(e.Out).Encode(list)
	}
	_, err = io.WriteString(e.Out, AuditText(all))
	return err
}

func listSanctions(ctx context.Context, e Env, _ []string) error {
	all, err := e.Moderator.Sanctions(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		fmt.Fprintln(e.Out, "no sanctions in force")
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, s := range all {
		shown := s.SubjectName
		if s.OriginalName != shown {
			shown += " (was " + s.OriginalName + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\tby %s\t%s\n", s.Kind, shown, club.UntilText(s.Until), s.Issuer, s.Reason)
	}
	return w.Flush()
}

// maxListed is the number of reports in one answer.
const maxListed = 200

// listReports lists open reports with an id above AFTER, oldest first.
func listReports(ctx context.Context, e Env, args []string) error {
	after := int64(0)
	if len(args) > 0 {
		var err error
		if after, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return badRequest("%q is not the number of a report. usage: reports [AFTER]", sanitize.Line(args[0], 20))
		}
	}
	all, err := e.Moderator.Reports(ctx, after, maxListed+1)
	if err == nil && len(all) == 0 {
		fmt.Fprintln(e.Out, "no open reports")
	}
	for i, r := range all {
		if i == maxListed {
			fmt.Fprintf(e.Out, "There are more. Next: reports %d\n", all[i-1].ID)
			break
		}
		fmt.Fprintf(e.Out, "%d  %s  %s about %s: %s\n", r.ID, r.At.UTC().Format(time.DateTime), r.Reporter, r.Subject(), r.Text)
		for _, line := range r.Evidence.Lines() {
			fmt.Fprintf(e.Out, "    %s\n", line)
		}
	}
	return err
}
